// What the tree shows and what is copied, as plain data. Knows nothing of the editor.
import type { Answer, Hint, Hit, Item, Pack, Place, Related } from "./contract";

/** One row of the tree; a row with a file opens it at the line. */
export interface Row {
  label: string;
  description: string;
  tooltip: string;
  icon: string;
  file?: string;
  line?: number;
  children: Row[];
  folded?: boolean;
}

/** What a view holds: its heading, its rows, and what "Copy for chat" copies. */
export interface View {
  title: string;
  message: string;
  rows: Row[];
  markdown: string;
}

const ICONS: Record<string, string> = {
  function: "symbol-function", method: "symbol-method", class: "symbol-class", struct: "symbol-structure",
  enum: "symbol-enum", interface: "symbol-interface", trait: "symbol-interface", impl: "symbol-class",
  module: "symbol-module", type: "symbol-interface", const: "symbol-constant", variable: "symbol-variable",
  macro: "symbol-operator", section: "book",
};
const HINT_ICONS: Record<Hint["type"], string> = { info: "info", action: "lightbulb", warn: "warning" };

/** The view of a pack: primary items, then the related ones by how they are tied. */
export function packView({ data, hints }: Answer<Pack>): View {
  const primary = data.items.filter((item) => item.role === "primary").map(itemRow);
  const related = grouped(data.items.filter((item) => item.role === "related"));
  const rows = [...(data.items.length ? [budgetRow(data)] : []), ...(primary.length ? [group("primary", "target", primary)] : []), ...related, ...hints.map(hintRow)];
  const { used_chars, max_chars, dropped_items } = data.budget;
  const left = dropped_items ? `, ${dropped_items} left out` : "";
  const message = `${counted(data.items.length, "item")}, ${used_chars} of ${max_chars} characters${left}`;
  return { title: titleOf(data), message, rows, markdown: packMarkdown(data) };
}

/** The view of what is tied to a place. */
export function relatedView({ data, hints }: Answer<Related>): View {
  const of = data.of.map((place) => row(place, ""));
  const rows = [...(of.length ? [group("related to", "target", of)] : []), ...grouped(data.hits), ...hints.map(hintRow)];
  const message = data.hits.length ? counted(data.hits.length, "place") : "nothing is related to this place";
  return { title: data.query, message, rows, markdown: relatedMarkdown(data) };
}

/** The places that an ambiguous name may mean: `name (file:line)` as a target that is not ambiguous. */
export function candidateTargets(candidates: string[]): { label: string; target: string }[] {
  return candidates.flatMap((candidate) => {
    const place = /\((.+:\d+)\)$/.exec(candidate)?.[1];
    return place ? [{ label: candidate, target: place }] : [];
  });
}

export function titleOf(pack: Pack): string {
  if (!pack.diff) return pack.query;
  const { base, head, files, added, removed } = pack.diff;
  const change = `changes ${head ? `in ${base}..${head}` : `since ${base}`}: ${counted(files, "file")}, +${added} -${removed}`;
  return pack.query ? `${pack.query}; ${change}` : change;
}

export function packMarkdown(pack: Pack): string {
  const parts = pack.items.map((item) => section(item, standing(item), item.content) + hunks(item));
  return `# ${oneLine(titleOf(pack))}\n\n${parts.join("\n")}`;
}

function relatedMarkdown(related: Related): string {
  const parts = related.hits.map((hit) => section(hit, words(hit.relationship), hit.content ?? ""));
  return `# ${oneLine(related.query)}\n\n${parts.join("\n")}`;
}

function section(place: Place, about: string, content: string): string {
  const name = [place.type, place.symbol].filter(Boolean).join(" ");
  return `## ${oneLine(`${placeOf(place)} ${name}`.trim())}\n\n${about}\n\n${fenced(content, suffix(place.file))}`;
}

/** What a change took out of an item, or would put in, as a diff; empty where there is nothing. */
function hunks(item: Item): string {
  const signed = (sign: string, text?: string) => (text === undefined ? [] : text.split("\n").map((line) => sign + line));
  const lines = (item.hunks ?? []).flatMap((hunk) => [
    `@@ before line ${hunk.line} @@`, ...signed("-", hunk.old), ...signed("+", hunk.new),
    ...(hunk.more ? [`(${hunk.more} more lines of the change)`] : []),
  ]);
  return lines.length ? fenced(lines.join("\n"), "diff") : "";
}

/** A fenced block whose fence is longer than any run of backticks inside (CommonMark 4.5). */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}\n`;
}

function grouped(places: (Item | Hit)[]): Row[] {
  const groups = new Map<string, Row[]>();
  for (const place of places) {
    const name = words(place.relationship ?? []);
    groups.set(name, [...(groups.get(name) ?? []), "role" in place ? itemRow(place) : row(place, `distance ${place.distance}`)]);
  }
  return [...groups].map(([name, rows]) => group(name, "references", rows));
}

function group(label: string, icon: string, children: Row[]): Row {
  return { label, description: String(children.length), tooltip: "", icon, children };
}

const BAR = 10; // blocks of the bar of a budget: a side bar of usual width still shows the share after it

/** How full the pack is, and below it what each item takes, the largest first. */
function budgetRow(pack: Pack): Row {
  const { used_chars, max_chars } = pack.budget;
  const share = Math.min(1, used_chars / max_chars);
  const filled = Math.round(BAR * share);
  const costs = pack.items.map((item) => ({ item, chars: item.content.length })).sort((a, b) => b.chars - a.chars);
  const children = costs.map(({ item, chars }) => ({ ...itemRow(item), description: `${chars} characters`, icon: "symbol-ruler" }));
  const label = `${"█".repeat(filled)}${"░".repeat(BAR - filled)} ${Math.round(100 * share)} %`;
  return { label, description: `${used_chars} of ${max_chars} characters`, tooltip: "Share of the budget of each item", icon: "dashboard", children, folded: true };
}

function itemRow(item: Item): Row {
  const made = row(item, standing(item));
  const changed = item.changed?.[0]?.[0];
  return changed === undefined ? made : { ...made, line: changed };
}

function row(place: Place, about: string): Row {
  return {
    label: place.symbol ?? place.file.split("/").at(-1) ?? place.file,
    description: placeOf(place),
    tooltip: [`${place.type ?? ""} ${place.symbol ?? ""}`.trim(), placeOf(place), about].filter(Boolean).join("\n"),
    icon: ICONS[place.type ?? ""] ?? "file",
    file: place.file,
    line: place.start_line,
    children: [],
  };
}

function hintRow(hint: Hint): Row {
  return { label: hint.text, description: "", tooltip: hint.text, icon: HINT_ICONS[hint.type], children: [] };
}

function standing(item: Item): string {
  const tie = item.relationship ? ` (${words(item.relationship)})` : "";
  const changed = item.changed?.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
  return `${item.role}${tie}, score ${item.score.toFixed(3)}${changed ? `, changed lines ${changed}` : ""}${item.elided ? ", cut" : ""}`;
}

function words(relationship: string[]): string {
  return relationship.map((label) => label.replaceAll("_", " ")).join(", ");
}

function placeOf(place: Place): string {
  return `${place.file}:${place.start_line === place.end_line ? place.start_line : `${place.start_line}-${place.end_line}`}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function suffix(file: string): string {
  return /\.([A-Za-z0-9]+)$/.exec(file)?.[1] ?? "";
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
