import { verifyToken } from "../shared/jwt";
import { findUserById } from "../db/users";
import type { Request, Response, Next } from "../api/routes";

export async function validateSession(req: Request, res: Response, next: Next): Promise<void> {
  const header = req.headers["authorization"] ?? "";
  const payload = verifyToken(header.replace(/^Bearer /, ""));
  req.user = await findUserById(payload.sub);
  next();
}
