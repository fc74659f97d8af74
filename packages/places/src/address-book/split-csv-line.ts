/**
 * The fields of one line of CSV (RFC 4180, without line ends in fields); undefined where a quotation mark is not closed or
 * text follows a closed one. A mark within an unquoted field is a character like others.
 */
export function splitCsvLine(line: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(',');
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    let end: number;
    if (line[at] === '"') {
      let field = '';
      at += 1;
      for (;;) {
        const mark = line.indexOf('"', at);
        if (mark < 0) return undefined;
        field += line.slice(at, mark);
        at = mark + 1;
        if (line[at] !== '"') break;
        field += '"';
        at += 1;
      }
      if (at < line.length && line[at] !== ',') return undefined;
      fields.push(field);
      end = at;
    } else {
      const comma = line.indexOf(',', at);
      end = comma < 0 ? line.length : comma;
      fields.push(line.slice(at, end));
    }
    if (end >= line.length) return fields;
    at = end + 1;
  }
}
