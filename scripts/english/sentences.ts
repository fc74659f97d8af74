export type Kind = 'comment' | 'prose' | 'test' | 'text' | 'name';

/** One piece of text that people read. */
export interface Piece {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly kind: Kind;
  /** The piece as written, for display. */
  readonly text: string;
  /** The piece with code replaced by `_` of equal length: what the rules read. */
  readonly masked: string;
}

/** Text of one block with the line of each character, so that sentences keep their line. */
export interface Block {
  readonly text: string;
  readonly masked: string;
  readonly lineAt: (offset: number) => number;
}

const CODE_SPAN = /(`+)[^`]+?\1|\{@\w+ [^}]*\}|https?:\/\/\S+|<[a-z!/][^>]*>/gi;
const SENTENCE_END = /[.!?]["')\]*_]*\s+(?=["'([*]*[A-Z0-9_`‹@])/g;
const ABBREVIATION = /\b(e\.g|i\.e|etc|vs|cf|approx|no|St|Mr|Dr|U\.S)\.\s+$/;

/** Replaces inline code, links' addresses and tags by `_`, keeping every offset. */
export function maskCode(text: string): string {
  return text
    .replace(CODE_SPAN, (code) => '_'.repeat(code.length))
    .replace(/\]\([^)]*\)/g, (link) => `]${'_'.repeat(link.length - 1)}`);
}

/** Splits a block into sentences. */
export function splitSentences(block: Block, file: string, kind: Kind): Piece[] {
  const pieces: Piece[] = [];
  const add = (start: number, end: number): void => {
    const lead = block.text.slice(start, end).search(/[^\s*_>#-]/);
    if (lead < 0) return;
    const from = start + Math.min(lead, Math.max(0, block.masked.slice(start, end).search(/\S/)));
    const text = block.text.slice(from, end).replace(/\s+/g, ' ').trim();
    const masked = block.masked.slice(from, end).replace(/\s+/g, ' ').trim();
    if (/[A-Za-z]/.test(masked)) pieces.push({ file, line: block.lineAt(from), kind, text, masked });
  };
  let start = 0;
  for (const match of block.masked.matchAll(SENTENCE_END)) {
    const end = match.index + match[0].length;
    if (ABBREVIATION.test(block.masked.slice(start, end))) continue;
    add(start, end);
    start = end;
  }
  add(start, block.masked.length);
  return pieces;
}

/** Joins lines to one block. `firstLine` counts from 1. */
export function blockOf(lines: readonly { readonly text: string; readonly line: number }[]): Block {
  const text = lines.map((each) => each.text).join('\n');
  const starts: number[] = [];
  let offset = 0;
  for (const each of lines) {
    starts.push(offset);
    offset += each.text.length + 1;
  }
  return {
    text,
    masked: maskCode(text),
    lineAt: (at) => lines[starts.findLastIndex((begin) => begin <= at)]?.line ?? 1,
  };
}

/** Number of words with at least one letter. */
export function countWords(text: string): number {
  return text.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length;
}
