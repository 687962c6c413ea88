import { backoffSeconds } from "./retry";

/** Try to connect, waiting longer after each failure. */
export async function reconnect(connect: () => Promise<boolean>, attempts: number): Promise<boolean> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    if (await connect()) return true;
    await new Promise((resolve) => setTimeout(resolve, backoffSeconds(attempt) * 1000));
  }
  return false;
}
