/** Why a record is none: a quotation mark is not closed (it may go on on the next line), or text follows a closed one. */
export type CellFault = 'unclosed_quote' | 'text_after_quote';

/**
 * The cells of one record of CSV (RFC 4180), blanks around them removed. A quotation mark within an unquoted cell is a character
 * like others.
 */
export function readCells(text: string, delimiter: string): string[] | CellFault {
  if (!text.includes('"')) return text.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    const start = skipBlanks(text, at, delimiter);
    if (text[start] === '"') {
      let cell = '';
      at = start;
      do {
        const mark = text.indexOf('"', at + 1);
        if (mark < 0) return 'unclosed_quote';
        cell += text.slice(at + 1, mark + 1);
        at = mark + 1;
      } while (text[at] === '"');
      at = skipBlanks(text, at, delimiter);
      if (at < text.length && text[at] !== delimiter) return 'text_after_quote';
      // Of each pair of marks one is the cell's, and the last is none.
      cells.push(cell.slice(0, -1).trim());
    } else {
      const found = text.indexOf(delimiter, at);
      const end = found < 0 ? text.length : found;
      cells.push(text.slice(at, end).trim());
      at = end;
    }
    if (at >= text.length) return cells;
    at += 1;
  }
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && (text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at += 1;
  return at;
}

/** One record of CSV with commas, without its line end. */
export function writeCells(cells: readonly (string | number)[]): string {
  return cells.map(writeCell).join(',');
}

function writeCell(cell: string | number): string {
  const text = String(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text of strangers as a cell that no spreadsheet takes for a formula. */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
