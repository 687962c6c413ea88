// What the command line prints, as far as the editor reads it. The schemas are in contracts/command/v1.

export interface Hint {
  type: "info" | "action" | "warn";
  text: string;
}

/** A piece of code by its place; lines are 1-based and inclusive. */
export interface Place {
  id: string;
  file: string;
  start_line: number;
  end_line: number;
  symbol?: string;
  type?: string;
}

export interface Item extends Place {
  role: "primary" | "related";
  score: number;
  content: string;
  relationship?: string[];
  distance?: number;
  elided?: [number, number][];
  changed?: [number, number][];
  hunks?: { line: number; old?: string; new?: string; more?: number }[];
}

export interface Hit extends Place {
  score: number;
  relationship: string[];
  distance: number;
  content?: string;
}

export interface Pack {
  query: string;
  items: Item[];
  budget: { max_chars: number; used_chars: number; truncated: boolean; dropped_items: number };
  diff?: { base: string; head?: string; files: number; added: number; removed: number };
}

export interface Related {
  query: string;
  of: Place[];
  hits: Hit[];
}

export interface Answer<T> {
  data: T;
  hints: Hint[];
}
