export interface Request {
  headers: Record<string, string | undefined>;
  user?: unknown;
}

export interface Response {
  status(code: number): Response;
}

export type Next = () => void;
