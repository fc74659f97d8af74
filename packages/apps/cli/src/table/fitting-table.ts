import Table from 'cli-table3';
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
  const table = new Table({
    head: content.head.map((title, at) => cell(title, at).split('\n').map(bold).join('\n')),
    colAligns: [...(content.aligns ?? [])],
    style: { head: [], border: [] },
  });
  rows.forEach((row, place) => {
    const painted = (text: string, at: number) =>
      cell(text, at)
        .split('\n')
        .map((line) => paint(line, place, at))
        .join('\n');
    table.push(row.map(painted));
  });
  return table.toString();
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

function fieldByField(
  head: readonly string[],
  rows: readonly string[][],
  bold: (text: string) => string,
  paint: NonNullable<TableContent['paint']>,
): string {
  const width = Math.max(...head.map((title) => title.length));
  const record = (row: string[], place: number) =>
    row.map((text, at) => `${bold(head[at]!.padEnd(width))}  ${paint(text, place, at)}`).join('\n');
  return rows.map(record).join('\n\n');
}
