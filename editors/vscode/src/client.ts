// Finds the program, runs it without blocking, and reads the envelope that it prints. Knows nothing of the editor.
import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Answer, Hint, Pack, Related } from "./contract";

export const MISSING =
  "ctxpack was not found. Install it (pipx install ctxpack-code, or uv tool install ctxpack-code), or set its path in ctxpack.path.";
const LONGEST_ANSWER = 64_000_000; // bytes; a pack is far below, and a program that runs wild must not fill memory

/** Why there is no answer: the envelope's own error, or what the program said last. */
export class CtxpackFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint = "",
    readonly candidates: string[] = [],
  ) {
    super(message);
  }
}

/** The question was stopped by whoever asked it. */
export class Cancelled extends Error {}

/** The program to run: the configured one, else `ctxpack` on PATH, else in ~/.local/bin. A failure says what to do. */
export function findProgram(configured: string, env: NodeJS.ProcessEnv = process.env): string {
  if (configured.trim()) {
    const chosen = configured.trim().replace(/^~(?=[/\\])/, homedir());
    if (runs(chosen)) return chosen;
    throw new CtxpackFailure("program_missing", `The program in the setting ctxpack.path cannot be run: ${chosen}`);
  }
  const names = process.platform === "win32" ? ["ctxpack.exe"] : ["ctxpack"];
  // An empty entry of PATH would mean the folder that is open, whose programs nobody has chosen.
  const folders = [...(env["PATH"] ?? "").split(delimiter).filter(Boolean), join(env["HOME"] ?? homedir(), ".local", "bin")];
  for (const folder of folders) {
    for (const name of names) {
      if (runs(join(folder, name))) return join(folder, name);
    }
  }
  throw new CtxpackFailure("program_missing", MISSING);
}

function runs(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Asks one program about one folder. */
export class Client {
  constructor(
    private readonly program: string,
    private readonly root: string,
    private readonly maxChars: number,
  ) {}

  query(text: string, signal?: AbortSignal): Promise<Answer<Pack>> {
    return this.ask<Pack>(["query", "-", ...this.budget()], text, signal);
  }

  /** What a reviewer needs of what is not committed, or of what changed since a revision. */
  changes(revision = "HEAD", signal?: AbortSignal): Promise<Answer<Pack>> {
    return this.ask<Pack>(["query", `--diff=${revision}`, ...this.budget()], "", signal);
  }

  /** What is tied to FILE, FILE:LINE or a symbol. */
  related(target: string, signal?: AbortSignal): Promise<Answer<Related>> {
    return this.ask<Related>(["related", "-", "--content", "--top-k", "30"], target, signal);
  }

  private budget(): string[] {
    return ["--max-chars", String(this.maxChars)];
  }

  private async ask<T>(args: string[], input: string, signal?: AbortSignal): Promise<Answer<T>> {
    const { out, err, code } = await run(this.program, [...args, "--repo", this.root], this.root, input, signal);
    return read<T>(out, err, code);
  }
}

interface Ended {
  out: string;
  err: string;
  code: number | null;
}

function run(program: string, args: string[], cwd: string, input: string, signal?: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Cancelled());
    const child = spawn(program, args, { cwd, windowsHide: true });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    const stop = () => {
      child.kill();
      reject(new Cancelled());
    };
    signal?.addEventListener("abort", stop, { once: true });
    child.stdout.on("data", (part: Buffer) => {
      size += part.length;
      if (size > LONGEST_ANSWER) child.kill();
      else out.push(part);
    });
    child.stderr.on("data", (part: Buffer) => err.push(part));
    child.stdin.on("error", () => undefined); // the program may end before it has read everything
    child.on("error", (error) => reject(new CtxpackFailure("program_missing", `${program} could not be started: ${error.message}`)));
    child.on("close", (code) => {
      signal?.removeEventListener("abort", stop);
      resolve({ out: Buffer.concat(out).toString("utf8"), err: Buffer.concat(err).toString("utf8"), code });
    });
    child.stdin.end(input);
  });
}

function read<T>(out: string, err: string, code: number | null): Answer<T> {
  const envelope = parsed(out);
  if (envelope?.status === "ok" && envelope.data) return { data: envelope.data as T, hints: envelope.hints ?? [] };
  const error = envelope?.error;
  if (error) throw new CtxpackFailure(error.code, error.message, error.hint ?? "", error.details?.candidates ?? []);
  const said = err.trim().split("\n").at(-1);
  throw new CtxpackFailure("no_answer", said || `ctxpack ended with exit code ${code ?? "unknown"} and no answer`);
}

interface Envelope {
  status?: string;
  data?: unknown;
  hints?: Hint[];
  error?: { code: string; message: string; hint?: string; details?: { candidates?: string[] } };
}

function parsed(out: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(out);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Envelope) : undefined;
  } catch {
    return undefined;
  }
}
