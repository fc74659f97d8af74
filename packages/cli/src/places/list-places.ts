import Table from 'cli-table3';
import type { Terminal } from '../terminal.ts';
import { openKeptBook } from './open-kept-book.ts';

/** The sources of the address book. */
export function listPlaces({ json }: { readonly json?: true }, terminal: Terminal): void {
  using book = openKeptBook(terminal);
  const sources = book.sources();
  if (json) {
    terminal.write(`${JSON.stringify(sources, null, 2)}\n`);
    return;
  }
  const table = new Table({
    head: ['source', 'kind', 'houses', 'ranges', 'imported', 'to be named'],
    style: { head: [], border: [] },
  });
  for (const { name, format, houses, ranges, importedAt, attribution } of sources) {
    const counts = [houses, ranges].map((count) => count.toLocaleString('en-US'));
    table.push([name, format, ...counts, importedAt.slice(0, 16).replace('T', ' '), attribution ?? '']);
  }
  terminal.write(sources.length === 0 ? 'Nothing is imported.\n' : `${table.toString()}\n`);
}
