export interface JWTPayload {
  sub: string;
}

export function signToken(payload: JWTPayload): string {
  return Buffer.from(JSON.stringify(payload)).toString("base64url");
}

export function verifyToken(token: string): JWTPayload {
  return JSON.parse(Buffer.from(token, "base64url").toString());
}
