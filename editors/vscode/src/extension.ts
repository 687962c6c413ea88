// The commands and the tree: what the editor knows goes to the client, what the model makes goes to the editor.
import { join } from "node:path";
import * as vscode from "vscode";
import { Cancelled, Client, CtxpackFailure, findProgram } from "./client";
import { candidateTargets, packView, relatedView, type Row, type View } from "./model";

type Ask = (client: Client, signal: AbortSignal) => Promise<View>;

interface Shown {
  view: View;
  root: string;
}

export function activate(context: vscode.ExtensionContext): void {
  const tree = new Tree();
  const window = vscode.window.createTreeView("ctxpack.pack", { treeDataProvider: tree });
  const commands: Record<string, () => Promise<void>> = {
    "ctxpack.packForQuery": () => packForQuery(show),
    "ctxpack.packForSelection": () => packForSelection(show),
    "ctxpack.relatedToSymbol": () => relatedToSymbol(show),
    "ctxpack.packForChanges": () => ask(show, "what is not committed", async (client, signal) => packView(await client.changes("HEAD", signal))),
    "ctxpack.copyForChat": () => copyForChat(tree),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  }
  context.subscriptions.push(window, { dispose: () => running?.abort() });

  async function show(shown: Shown): Promise<void> {
    tree.show(shown);
    window.title = shown.view.title;
    window.message = shown.view.message;
    await vscode.commands.executeCommand("ctxpack.pack.focus");
  }
}

type Show = (shown: Shown) => Promise<void>;

let running: AbortController | undefined;

/** Ask with progress that can be cancelled; a new question stops the one before. Failures become messages. */
async function ask(show: Show, about: string, question: Ask): Promise<void> {
  const root = folder();
  if (!root) {
    await vscode.window.showWarningMessage("ctxpack: open a folder first.");
    return;
  }
  running?.abort();
  const control = new AbortController();
  running = control;
  const title = `ctxpack: ${about}`;
  try {
    const settings = vscode.workspace.getConfiguration("ctxpack", vscode.Uri.file(root));
    const program = findProgram(settings.get<string>("path", ""));
    const client = new Client(program, root, settings.get<number>("maxChars", 20_000));
    const view = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_, token) => {
        token.onCancellationRequested(() => control.abort());
        return question(client, control.signal);
      },
    );
    await show({ view, root });
  } catch (error) {
    await explain(show, error);
  } finally {
    if (running === control) running = undefined;
  }
}

async function explain(show: Show, error: unknown): Promise<void> {
  if (error instanceof Cancelled) return;
  if (!(error instanceof CtxpackFailure)) throw error;
  const places = candidateTargets(error.candidates);
  if (places.length) {
    const chosen = await vscode.window.showQuickPick(places, { title: error.message });
    if (chosen) await related(show, chosen.target);
    return;
  }
  const text = error.hint ? `${error.message} (${error.hint})` : error.message;
  const settings = error.code === "program_missing" ? ["Open settings"] : [];
  const chosen = await vscode.window.showErrorMessage(`ctxpack: ${text}`, ...settings);
  if (chosen) await vscode.commands.executeCommand("workbench.action.openSettings", "ctxpack.path");
}

async function packForQuery(show: Show): Promise<void> {
  const text = await vscode.window.showInputBox({ title: "Pack for query", prompt: "An identifier, a path, an error message or plain words" });
  if (text?.trim()) await pack(show, text);
}

async function packForSelection(show: Show): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = editor ? editor.document.getText(editor.selection) : "";
  if (text.trim()) await pack(show, text);
  else await vscode.window.showWarningMessage("ctxpack: select some text first.");
}

async function relatedToSymbol(show: Show): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme === "file") {
    await related(show, `${editor.document.uri.fsPath}:${editor.selection.active.line + 1}`);
    return;
  }
  const name = await vscode.window.showInputBox({ title: "Related to symbol", prompt: "A symbol, FILE or FILE:LINE" });
  if (name?.trim()) await related(show, name.trim());
}

function pack(show: Show, text: string): Promise<void> {
  return ask(show, text.trim().split("\n")[0]?.slice(0, 60) ?? "", async (client, signal) => packView(await client.query(text, signal)));
}

function related(show: Show, target: string): Promise<void> {
  return ask(show, "what is related", async (client, signal) => relatedView(await client.related(target, signal)));
}

async function copyForChat(tree: Tree): Promise<void> {
  const markdown = tree.shown?.view.markdown;
  if (!markdown) {
    await vscode.window.showWarningMessage("ctxpack: there is no pack to copy yet.");
    return;
  }
  await vscode.env.clipboard.writeText(markdown);
  vscode.window.setStatusBarMessage("ctxpack: copied as Markdown", 3000);
}

/** The folder that is asked about: the one of the file in front, else the first that is open. */
function folder(): string | undefined {
  const file = vscode.window.activeTextEditor?.document.uri;
  const found = (file && vscode.workspace.getWorkspaceFolder(file)) ?? vscode.workspace.workspaceFolders?.[0];
  return found?.uri.fsPath;
}

class Tree implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  shown: Shown | undefined;

  show(shown: Shown): void {
    this.shown = shown;
    this.changed.fire();
  }

  getChildren(row?: Row): Row[] {
    return row ? row.children : (this.shown?.view.rows ?? []);
  }

  getTreeItem(row: Row): vscode.TreeItem {
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(row.label, !row.children.length ? None : row.folded ? Collapsed : Expanded);
    item.description = row.description;
    item.tooltip = row.tooltip;
    item.iconPath = new vscode.ThemeIcon(row.icon);
    if (row.file !== undefined && row.line !== undefined && this.shown) {
      const place = new vscode.Position(row.line - 1, 0);
      const options: vscode.TextDocumentShowOptions = { selection: new vscode.Range(place, place), preview: true };
      item.command = { command: "vscode.open", title: "Open", arguments: [vscode.Uri.file(join(this.shown.root, row.file)), options] };
    }
    return item;
  }
}
