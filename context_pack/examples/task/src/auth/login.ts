import { signToken } from "../shared/jwt";

export function login(userId: string): string {
  return signToken({ sub: userId });
}
