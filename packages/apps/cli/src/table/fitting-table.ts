import { stripVTControlCharacters } from 'node:util';
import { createColors } from 'picocolors';
import type { Terminal } from '../terminal.ts';

export interface TableContent {
  readonly head: readonly string[];
  /** A cell a title. */
  readonly rows: readonly (readonly (string | number)[])[];
  /** One per column, as the titles. Default: all left. */
  readonly aligns?: readonly ('left' | 'right')[];
  /** Colours a line of a cell; its characters stay. */
  readonly paint?: (line: string, row: number, column: number) => string;
}

const FRAME_OF_COLUMN = 3;
/** A word up to this long stays in one piece: a key or a UUID that is torn apart cannot be copied. */
const MAX_WHOLE_WORD = 40;

/**
 * A table that fits the terminal. Long cells wrap and are never cut. If the longest words do not fit in columns, rows
 * are written field by field. Without a terminal each row is one line.
 */
export function fittingTable(
  content: TableContent,
  { columns, inColor }: Pick<Terminal, 'columns' | 'inColor'>,
): string {
  const { bold } = createColors(inColor);
  const rows = content.rows.map((row) => row.map(String));
  const widths = columns === undefined ? undefined : widthsWithin(content, rows, columns);
  const { paint = (line: string) => line } = content;
  if (columns !== undefined && widths === undefined) return fieldByField(content.head, rows, bold, paint);
  const cell = (text: string, at: number) => (widths === undefined ? text : wrapText(text, widths[at]!));
  return drawTable({
    head: content.head.map((title, at) => eachLine(cell(title, at), bold)),
    rows: rows.map((row, place) => row.map((text, at) => eachLine(cell(text, at), (line) => paint(line, place, at)))),
    aligns: content.aligns ?? [],
  });
}

/** Changes each line of a cell, so that a color ends before the frame. */
export function eachLine(text: string, change: (line: string) => string): string {
  return text.split('\n').map(change).join('\n');
}

/** Wrapped cells, whose lines may have colors. */
export interface DrawnTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly aligns: readonly ('left' | 'right')[];
  /** Characters of each column. @default those of its longest line */
  readonly widths?: readonly number[] | undefined;
}

/** Draws cells in a frame. */
export function drawTable({ head, rows, aligns, widths }: DrawnTable): string {
  const all = [head, ...rows].map((row) => row.map((text) => text.split('\n')));
  const sizes = head.map(
    (_, at) => widths?.[at] ?? Math.max(0, ...all.flatMap((row) => row[at]!.map((line) => lengthOf(line)))),
  );
  const rule = (left: string, between: string, right: string) =>
    `${left}${sizes.map((size) => '─'.repeat(size + 2)).join(between)}${right}`;
  const draw = (row: readonly (readonly string[])[]) =>
    Array.from({ length: Math.max(...row.map((lines) => lines.length)) }, (_, number) => {
      const cells = row.map((lines, at) => {
        const line = lines[number] ?? '';
        const space = ' '.repeat(Math.max(0, sizes[at]! - lengthOf(line)));
        return aligns[at] === 'right' ? space + line : line + space;
      });
      return `│ ${cells.join(' │ ')} │`;
    }).join('\n');
  const body = all.map(draw).join(`\n${rule('├', '┼', '┤')}\n`);
  return `${rule('┌', '┬', '┐')}\n${body}\n${rule('└', '┴', '┘')}`;
}

function lengthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

/** Characters of each column, the widest made narrower until all fit; undefined where they cannot. */
function widthsWithin({ head }: TableContent, rows: readonly string[][], columns: number): number[] | undefined {
  const inColumn = (at: number) => [head[at]!, ...rows.map((row) => row[at]!)];
  const maxWidth = (texts: readonly string[], between: RegExp) =>
    Math.max(0, ...texts.flatMap((text) => text.split(between)).map((part) => [...part].length));
  const widths = head.map((_, at) => maxWidth(inColumn(at), /\n/));
  const narrowest = head.map((_, at) => Math.min(MAX_WHOLE_WORD, maxWidth(inColumn(at), /\s/)));
  for (;;) {
    const over = widths.reduce((sum, width) => sum + width + FRAME_OF_COLUMN, 1) - columns;
    if (over <= 0) return widths;
    const spare = widths.map((width, at) => (width > narrowest[at]! ? width : 0));
    const widest = Math.max(...spare);
    if (widest === 0) return undefined;
    widths[spare.indexOf(widest)]!--;
  }
}

/** Breaks lines between words, and within a word only if it alone is wider. An indent is kept on every line of its paragraph. */
export function wrapText(text: string, width: number): string {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const [indent] = /^ */.exec(line)!;
    const available = Math.max(1, width - indent.length);
    let words: string[] = [];
    for (const word of line.slice(indent.length).split(' ')) {
      const letters = [...word];
      const isFirst = words.length === 0;
      if (!isFirst && words.length + 1 + letters.length <= available) words = [...words, ' ', ...letters];
      else {
        if (!isFirst) lines.push(indent + words.join(''));
        words = letters;
      }
      while (words.length > available) lines.push(indent + words.splice(0, available).join(''));
    }
    lines.push(indent + words.join(''));
  }
  return lines.join('\n');
}

/** Wraps lines at the width of the terminal. Without a terminal, the text is returned unchanged. */
export function wrapLines(text: string, { columns }: Pick<Terminal, 'columns'>): string {
  return columns === undefined ? text : wrapText(text, columns);
}

function fieldByField(
  head: readonly string[],
  rows: readonly string[][],
  bold: (text: string) => string,
  paint: NonNullable<TableContent['paint']>,
): string {
  const width = Math.max(...head.map((title) => title.length));
  const record = (row: string[], place: number) =>
    row
      .flatMap((text, at) => (text === '' ? [] : `${bold(head[at]!.padEnd(width))}  ${paint(text, place, at)}`))
      .join('\n');
  return rows.map(record).join('\n\n');
}
