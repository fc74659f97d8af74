/**
 * The cells of one record of CSV (RFC 4180); undefined where a quoted cell is not closed (the record goes on on the next
 * line, or never ends) or text follows a closed one. A quotation mark within an unquoted cell is a character as others.
 */
export function readCells(text: string): string[] | undefined {
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    let cell = '';
    if (text[at] === '"') {
      do {
        const mark = text.indexOf('"', at + 1);
        if (mark < 0) return undefined;
        cell += text.slice(at + 1, mark + 1);
        at = mark + 1;
      } while (text[at] === '"');
      // Of each pair of marks one is the cell's, and the last is none.
      cell = cell.slice(0, -1);
      if (at < text.length && text[at] !== ',') return undefined;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma < 0 ? text.length : comma;
      cell = text.slice(at, end);
      at = end;
    }
    cells.push(cell.trim());
    if (at >= text.length) return cells;
    at += 1;
  }
}

/** One record of CSV, without its line end. */
export function writeCells(cells: readonly (string | number)[]): string {
  return cells.map(writeCell).join(',');
}

function writeCell(cell: string | number): string {
  const text = String(cell);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text of strangers as a cell that no spreadsheet takes for a formula. */
export function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
