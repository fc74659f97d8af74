import { resolve } from 'node:path';
import { requestOfProperty } from '@leeward/authoring';
import { writtenValueReader } from '@leeward/books';
import type { Vocabulary } from '@leeward/engine';
import { describeRecognized, openRows } from '@leeward/rows';
import { createRowReader } from '../../book/read-book-row.ts';
import type { Terminal } from '../../terminal.ts';
import { count } from '../print-findings.ts';
import { WrongUse } from '../wrong-use.ts';

/** The policies of a book as requests: without addresses, their distances looked up here. CSV or NDJSON. */
export async function readPolicies(path: string, vocabulary: Vocabulary, terminal: Terminal): Promise<unknown[]> {
  const asOf = new Date();
  const file = await openRows(resolve(terminal.folder, path), { name: path });
  const names = file.format === 'csv' ? file.columns.map((column) => column.toLowerCase()) : [];
  const { readRow: read } = createRowReader(asOf, vocabulary, terminal);
  const policies: unknown[] = [];
  let unread = 0;
  const refuse = (line: number, message: string) => {
    unread++;
    terminal.writeError(`${path}:${line}: ${message}\n`);
  };
  for await (const { line, cells, value, fault } of file.rows) {
    if (fault) {
      refuse(line, fault.message);
      continue;
    }
    const home = await read(cells ? bodyOf(names, cells, vocabulary) : value, []);
    if (home.ok) policies.push(requestOfProperty(home.property));
    else refuse(line, home.faults.map(({ message }) => message).join(' '));
  }
  for (const sentence of describeRecognized(path, file.recognized())) terminal.writeError(`${sentence}\n`);
  if (unread === 0 && policies.length > 0) return policies;
  const what = policies.length === 0 ? 'no policy could be read' : `${count(unread, 'line')} could not be read`;
  throw new WrongUse(`${path}: ${what}; fix it, so that the review counts the whole file.`);
}

/** A row as a request, its numbers and dates read as books write them. */
function bodyOf(names: readonly string[], cells: readonly string[], vocabulary: Vocabulary): Record<string, unknown> {
  // A name may be that of a prototype.
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const cell = cells[index] ?? '';
      const read = writtenValueReader(name, vocabulary);
      return cell === '' ? [] : [[name, read ? read(cell) : cell]];
    }),
  );
}
