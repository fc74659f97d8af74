/** A quotation mark is not closed (the record may continue on the next line), or text follows a closing one. */
export type CellFault = 'unclosed_quote' | 'text_after_quote';

/**
 * Parses a record of CSV (RFC 4180). Cells are trimmed. A quotation mark within an unquoted cell is an ordinary character.
 *
 * @example
 * readCells('tx,"Harris, TX"', ','); // ['tx', 'Harris, TX']
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
      // A pair of quotation marks is one mark of the cell. The last mark closes the cell.
      cells.push(cell.slice(0, -1).trim());
    } else {
      const next = text.indexOf(delimiter, at);
      const end = next < 0 ? text.length : next;
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

/**
 * Formats a record of CSV with commas, without a line end.
 *
 * @example
 * writeCells(['tx', 'Harris, TX']); // 'tx,"Harris, TX"'
 */
export function writeCells(cells: readonly (string | number)[]): string {
  return cells.map(writeCell).join(',');
}

function writeCell(cell: string | number): string {
  const text = String(cell);
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Escapes untrusted text so that spreadsheets do not evaluate it as a formula.
 *
 * @example
 * escapeFormula('=1+1'); // "'=1+1"
 */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
