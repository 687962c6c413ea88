// A small repository, and programs that stand in for what the real one does not do on demand.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A copy of the checked-in project; the index of the real program goes to a cache of its own. */
export function project(): string {
  const folder = mkdtempSync(join(tmpdir(), "ctxpack-vscode-"));
  process.env["CTXPACK_CACHE_DIR"] = join(folder, "cache");
  process.env["CTXPACK_NO_BACKGROUND"] = "1";
  const root = join(folder, "my project");
  cpSync(join(__dirname, "../../../../tests/cli/project"), root, { recursive: true });
  writeFileSync(join(root, "ctxpack.toml"), "model = 'embedded'\n");
  return root;
}

/** Make the project a git repository with everything committed. */
export function committed(root: string): void {
  const git = (...args: string[]) => execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false", ...args], { cwd: root });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
}

export function standIn(body: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "ctxpack-stand-in-")), "ctxpack");
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
  return file;
}
