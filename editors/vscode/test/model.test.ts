// What the tree shows and what is copied.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Item, Pack } from "../src/contract";
import { candidateTargets, packMarkdown, packView, relatedView, titleOf } from "../src/model";

const PRIMARY: Item = {
  id: "src/a.py:3:9", role: "primary", file: "src/a.py", start_line: 3, end_line: 9, symbol: "Cache.get", type: "method",
  score: 0.9994, content: "def get():\n    ```\n    ````",
};
const CALLER: Item = {
  id: "src/b.py:1:1", role: "related", file: "src/b.py", start_line: 1, end_line: 1, score: 0.5, content: "get()",
  relationship: ["called_by"], distance: 1, elided: [[2, 3]],
};
const PACK: Pack = {
  query: "where is\nthe cache", items: [PRIMARY, CALLER],
  budget: { max_chars: 8000, used_chars: 420, truncated: true, dropped_items: 3 },
};

test("a pack becomes groups of rows that open files at lines", () => {
  const view = packView({ data: PACK, hints: [{ type: "action", text: "--max-chars 9000 holds everything" }] });
  assert.deepEqual(view.rows.map((row) => [row.label, row.description, row.icon]), [
    ["█░░░░░░░░░ 5 %", "420 of 8000 characters", "dashboard"],
    ["primary", "1", "target"],
    ["called by", "1", "references"],
    ["--max-chars 9000 holds everything", "", "lightbulb"],
  ]);
  assert.deepEqual(view.rows[0]?.children.map((row) => [row.label, row.description]), [
    ["Cache.get", "27 characters"], ["b.py", "5 characters"],
  ]);
  const first = view.rows[1]?.children[0];
  assert.deepEqual([first?.label, first?.description, first?.icon, first?.file, first?.line], ["Cache.get", "src/a.py:3-9", "symbol-method", "src/a.py", 3]);
  assert.equal(first?.tooltip, "method Cache.get\nsrc/a.py:3-9\nprimary, score 0.999");
  assert.equal(view.rows[2]?.children[0]?.label, "b.py");
  assert.equal(view.message, "2 items, 420 of 8000 characters, 3 left out");
});

test("an item of a change opens at the first line that changed", () => {
  const item: Item = { ...PRIMARY, changed: [[5, 5], [7, 8]] };
  const pack: Pack = { ...PACK, query: "", items: [item], diff: { base: "HEAD", files: 1, added: 3, removed: 0 } };
  const view = packView({ data: pack, hints: [] });
  assert.equal(view.rows[1]?.children[0]?.line, 5);
  assert.match(view.rows[1]?.children[0]?.tooltip ?? "", /changed lines 5, 7-8/);
  assert.equal(view.title, "changes since HEAD: 1 file, +3 -0");
  assert.equal(titleOf({ ...pack, query: "cache" }), "cache; changes since HEAD: 1 file, +3 -0");
});

test("what is copied is Markdown whose fences hold what is in them", () => {
  const text = packMarkdown(PACK);
  assert.ok(text.startsWith("# where is the cache\n\n## src/a.py:3-9 method Cache.get\n\nprimary, score 0.999\n\n`````py\n"));
  assert.ok(text.includes("\n    ````\n`````\n"));
  assert.ok(text.includes("## src/b.py:1\n\nrelated (called by), score 0.500, cut\n\n```py\nget()\n```\n"));
});

test("what a change took out is copied as a diff", () => {
  const hunks = [{ line: 5, old: "a\n  b", more: 2 }, { line: 9, new: "c" }];
  const text = packMarkdown({ ...PACK, items: [{ ...CALLER, hunks }] });
  assert.ok(text.includes("```diff\n@@ before line 5 @@\n-a\n-  b\n(2 more lines of the change)\n@@ before line 9 @@\n+c\n```\n"));
});

test("what is related is grouped by how it is tied", () => {
  const hit = { ...CALLER, relationship: ["calls", "uses"], distance: 2 };
  const view = relatedView({ data: { query: "get", of: [PRIMARY], hits: [hit, { ...hit, relationship: ["tested_by"], distance: 1 }] }, hints: [] });
  assert.deepEqual(view.rows.map((row) => row.label), ["related to", "calls, uses", "tested by"]);
  assert.equal(view.message, "2 places");
  assert.equal(relatedView({ data: { query: "get", of: [PRIMARY], hits: [] }, hints: [] }).message, "nothing is related to this place");
});

test("an empty pack says why in its hints", () => {
  const view = packView({ data: { ...PACK, items: [] }, hints: [{ type: "info", text: "Nothing found." }] });
  assert.deepEqual(view.rows.map((row) => [row.label, row.icon]), [["Nothing found.", "info"]]);
  assert.equal(view.message, "0 items, 420 of 8000 characters, 3 left out");
});

test("the places of an ambiguous name become targets", () => {
  assert.deepEqual(candidateTargets(["get (src/a b.py:3)", "no place"]), [{ label: "get (src/a b.py:3)", target: "src/a b.py:3" }]);
});
