// The built extension in a stand-in for the editor's API, with the real program: every command that it offers works.
import assert from "node:assert/strict";
import { appendFileSync, readFileSync } from "node:fs";
import Module from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { findProgram } from "../src/client";
import type { Row } from "../src/model";
import { committed, project, standIn } from "./project";

const HOME = join(__dirname, "../..");
const root = project();
committed(root);

type Command = (...args: unknown[]) => Promise<void>;
const commands = new Map<string, Command>();
const settings: Record<string, unknown> = { path: findProgram(process.env["CTXPACK_PROGRAM"] ?? ""), maxChars: 4000 };
const told: string[] = [];
const executed: unknown[][] = [];
const opened: { input: string | undefined; picked: ((items: unknown[]) => unknown) | undefined; answer: string | undefined; copied: string } = {
  input: undefined, picked: undefined, answer: undefined, copied: "",
};
let tree: { getChildren(row?: Row): Row[]; getTreeItem(row: Row): { command?: { arguments: { fsPath?: string; selection?: { line: number } }[] } } };
let cancel: (() => void) | undefined;
const say = (text: string) => {
  told.push(text);
  return Promise.resolve(opened.answer);
};
const editor = { document: { uri: { scheme: "file", fsPath: join(root, "src/picture_cache.py") }, getText: () => "class PictureCache" }, selection: { active: { line: 8 } } };

// Of the editor's API what the extension calls, and nothing else: another call fails the tests.
const vscode = {
  window: {
    activeTextEditor: editor as typeof editor | undefined,
    createTreeView: (_: string, options: { treeDataProvider: typeof tree }) => {
      tree = options.treeDataProvider;
      return { title: "", message: "", dispose: () => undefined };
    },
    withProgress: (_: unknown, work: (progress: unknown, token: unknown) => Promise<unknown>) =>
      work({}, { onCancellationRequested: (run: () => void) => { cancel = run; } }),
    showInputBox: () => Promise.resolve(opened.input),
    showQuickPick: (items: unknown[]) => Promise.resolve(opened.picked?.(items)),
    showWarningMessage: say,
    showErrorMessage: say,
    setStatusBarMessage: say,
  },
  workspace: {
    getConfiguration: () => ({ get: (name: string) => settings[name] }),
    getWorkspaceFolder: () => undefined,
    workspaceFolders: [{ uri: { fsPath: root } }] as { uri: { fsPath: string } }[] | undefined,
  },
  commands: {
    registerCommand: (name: string, run: Command) => {
      commands.set(name, run);
      return { dispose: () => undefined };
    },
    executeCommand: (...args: unknown[]) => Promise.resolve(void executed.push(args)),
  },
  env: { clipboard: { writeText: (text: string) => Promise.resolve(void (opened.copied = text)) } },
  EventEmitter: class { event = () => undefined; fire() {} },
  TreeItem: class { constructor(readonly label: string) {} },
  ThemeIcon: class {},
  Position: class { constructor(readonly line: number) {} },
  Range: class { constructor(readonly start: { line: number }) {} get line() { return this.start.line; } },
  Uri: { file: (path: string) => ({ fsPath: path }) },
  ProgressLocation: { Notification: 15 },
  TreeItemCollapsibleState: { None: 0, Expanded: 2 },
};
const load = (Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown })._load;
(Module as unknown as { _load: unknown })._load = (name: string, ...rest: unknown[]) => (name === "vscode" ? vscode : load(name, ...rest));
// Not bundled into this test: it is the built file that is shipped.
const shipped = Module.createRequire(__filename)(join(HOME, "dist/extension.js")) as { activate(context: unknown): void };
shipped.activate({ subscriptions: [] });

const run = (name: string) => commands.get(`ctxpack.${name}`)?.() ?? Promise.reject(new Error(`no command ${name}`));
const labels = () => tree.getChildren().map((row) => row.label);

test("every command that is offered exists, and no other", () => {
  const manifest = JSON.parse(readFileSync(join(HOME, "package.json"), "utf8")) as { contributes: { commands: { command: string }[] } };
  assert.deepEqual([...commands.keys()].sort(), manifest.contributes.commands.map((one) => one.command).sort());
});

test("there is nothing to copy before the first pack", async () => {
  await run("copyForChat");
  assert.match(told.pop() ?? "", /no pack to copy/);
});

test("a pack for a query is shown, opens files at lines and is copied", async () => {
  opened.input = "PictureCache";
  await run("packForQuery");
  assert.match(labels()[0] ?? "", /^[█░]{10} \d+ %$/);
  assert.equal(labels()[1], "primary");
  const first = tree.getChildren(tree.getChildren()[1])[0];
  assert.ok(first);
  const [uri, options] = tree.getTreeItem(first).command?.arguments ?? [];
  assert.equal(uri?.fsPath, join(root, "src/picture_cache.py"));
  const line = readFileSync(uri.fsPath, "utf8").split("\n")[options?.selection?.line ?? -1];
  assert.equal(line, "class PictureCache:");
  assert.deepEqual(executed.pop(), ["ctxpack.pack.focus"]);
  await run("copyForChat");
  assert.ok(opened.copied.startsWith("# PictureCache\n\n## src/picture_cache.py:"));
});

test("a selection is packed", async () => {
  await run("packForSelection");
  await run("copyForChat");
  assert.ok(opened.copied.startsWith("# class PictureCache\n"));
});

test("what is related to the line of the cursor is shown", async () => {
  await run("relatedToSymbol");
  assert.deepEqual(labels().slice(0, 2), ["related to", "called by"]);
});

test("uncommitted changes are packed", async () => {
  appendFileSync(join(root, "src/resizing.py"), "\n\ndef added_for_review():\n    return 1\n");
  await run("packForChanges");
  assert.ok(tree.getChildren(tree.getChildren()[1]).some((row) => row.label === "added_for_review"));
});

test("an ambiguous name is asked back", async () => {
  appendFileSync(join(root, "src/picture_cache.py"), "\n\ndef added_for_review():\n    return 2\n");
  vscode.window.activeTextEditor = undefined;
  opened.input = "added_for_review";
  opened.picked = (items) => items[1];
  await run("relatedToSymbol");
  assert.equal(labels()[0], "related to");
  assert.ok(tree.getChildren(tree.getChildren()[0])[0]?.description.startsWith("src/resizing.py:"));
  vscode.window.activeTextEditor = editor;
});

test("a missing program is explained, and leads to the setting", async () => {
  const program = settings["path"];
  settings["path"] = "/no/such/program";
  opened.answer = "Open settings";
  await run("packForSelection");
  assert.match(told.pop() ?? "", /ctxpack.path cannot be run/);
  assert.deepEqual(executed.pop(), ["workbench.action.openSettings", "ctxpack.path"]);
  settings["path"] = program;
});

test("a stopped question says nothing and leaves what was shown", async () => {
  const program = settings["path"];
  const before = labels();
  told.length = 0;
  settings["path"] = standIn("exec sleep 600");
  cancel = undefined;
  const asked = run("packForSelection");
  while (!cancel) await new Promise((resolve) => setTimeout(resolve, 10));
  (cancel as () => void)();
  await asked;
  assert.deepEqual([labels(), told.length], [before, 0]);
  settings["path"] = program;
});

test("without a folder there is nothing to ask about", async () => {
  const folders = vscode.workspace.workspaceFolders;
  vscode.workspace.workspaceFolders = undefined;
  await run("packForSelection");
  assert.match(told.pop() ?? "", /open a folder first/);
  vscode.workspace.workspaceFolders = folders;
});
