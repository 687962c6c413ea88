// The client with the real program behind it, and with programs that break.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Cancelled, Client, CtxpackFailure, findProgram } from "../src/client";
import { committed, project, standIn } from "./project";

const root = project();
const client = new Client(findProgram(process.env["CTXPACK_PROGRAM"] ?? ""), root, 4000);

async function failure(work: Promise<unknown>): Promise<CtxpackFailure> {
  const error = await work.then(() => undefined, (reason: unknown) => reason);
  assert.ok(error instanceof CtxpackFailure, String(error));
  return error;
}

test("a query is answered by a pack within the limit", async () => {
  const { data } = await client.query("PictureCache");
  assert.equal(data.items[0]?.symbol, "PictureCache");
  assert.equal(data.items[0]?.role, "primary");
  assert.equal(data.budget.max_chars, 4000);
  assert.ok(data.items.every((item) => existsSync(join(root, item.file))));
});

test("a query is only text, whatever it looks like", async () => {
  const odd = "--version \"$(touch gone)\" 'x' | PictureCache\nand a second line";
  assert.equal((await client.query(odd)).data.query, odd);
  assert.ok(!existsSync(join(root, "gone")));
});

test("what is related is found by place and by name", async () => {
  const line = readFileSync(join(root, "src/picture_cache.py"), "utf8").split("\n").findIndex((text) => text.startsWith("class ")) + 1;
  const byPlace = await client.related(`${join(root, "src/picture_cache.py")}:${line}`);
  const byName = await client.related("PictureCache");
  assert.deepEqual(byPlace.data.hits.map((hit) => hit.id), byName.data.hits.map((hit) => hit.id));
  assert.ok(byName.data.hits.some((hit) => hit.file.startsWith("tests/") && hit.content));
});

test("a name of several places is a failure that lists them", async () => {
  for (const name of ["one", "two"]) writeFileSync(join(root, "src", `${name}.py`), "def twice_defined():\n    return 1\n");
  const error = await failure(client.related("twice_defined"));
  assert.equal(error.code, "ambiguous");
  assert.deepEqual(error.candidates, ["twice_defined (src/one.py:1)", "twice_defined (src/two.py:1)"]);
});

test("changes are packed, and a folder without git says so", async () => {
  const error = await failure(client.changes());
  assert.match(error.message, /not in a git repository/);
  committed(root);
  assert.deepEqual((await client.changes()).data.items, []);
  appendFileSync(join(root, "src/resizing.py"), "\n\ndef added_for_review():\n    return 1\n");
  const { data } = await client.changes();
  assert.deepEqual(data.items[0]?.symbol, "added_for_review");
  assert.equal(data.diff?.base, "HEAD");
  assert.match((await failure(client.changes("no-such-rev"))).message, /is not a commit/);
});

test("a program that breaks is explained", async () => {
  const broken: [string, RegExp][] = [
    ["echo no JSON; echo it broke >&2; exit 3", /^it broke$/],
    ["exit 4", /exit code 4/],
    ["echo '[1]'", /no answer/],
    ["echo '{\"status\": \"ok\", \"data\": null}'", /no answer/],
    ["kill -9 $$", /no answer/],
  ];
  for (const [body, message] of broken) {
    const error = await failure(new Client(standIn(body), root, 100).query("x".repeat(200_000)));
    assert.equal(error.code, "no_answer");
    assert.match(error.message, message);
  }
});

test("a question that is stopped ends its program", async () => {
  const control = new AbortController();
  const pid = join(mkdtempSync(join(tmpdir(), "ctxpack-pid-")), "pid");
  const asked = new Client(standIn(`echo $$ > '${pid}'; exec sleep 600`), root, 100).query("x", control.signal);
  while (!existsSync(pid) || !readFileSync(pid, "utf8").trim()) await new Promise((resolve) => setTimeout(resolve, 20));
  control.abort();
  await assert.rejects(asked, Cancelled);
  const alive = () => {
    try {
      return process.kill(Number(readFileSync(pid, "utf8")), 0);
    } catch {
      return false;
    }
  };
  while (alive()) await new Promise((resolve) => setTimeout(resolve, 20));
  await assert.rejects(new Client(standIn("exit 0"), root, 100).query("x", control.signal), Cancelled);
});

test("the program is looked for on PATH and in the home folder, and missing it is explained", () => {
  const program = standIn("exit 0");
  assert.equal(findProgram("", { PATH: `/nowhere:${dirname(program)}`, HOME: "/nowhere" }), program);
  assert.equal(findProgram(program, {}), program);
  assert.throws(() => findProgram("", { PATH: ":/nowhere", HOME: "/nowhere" }), /pipx install ctxpack-code/);
  assert.throws(() => findProgram("/no/such/program", {}), /ctxpack.path cannot be run: \/no\/such\/program/);
  assert.throws(() => findProgram(tmpdir(), {}), /cannot be run/);
});
