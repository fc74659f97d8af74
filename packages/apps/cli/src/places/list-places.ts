import { fittingTable } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import { openKeptBook } from './open-kept-book.ts';

export function listPlaces({ json }: { readonly json?: true }, terminal: Terminal): void {
  using book = openKeptBook(terminal);
  const sources = book.sources();
  if (json) {
    terminal.write(`${JSON.stringify(sources, null, 2)}\n`);
    return;
  }
  if (sources.length === 0) {
    terminal.write('Nothing is imported.\n');
    return;
  }
  const head = ['source', 'kind', 'houses', 'ranges', 'imported', 'to be named'];
  const rows = sources.map(({ name, format, houses, ranges, importedAt, attribution }) => {
    const counts = [houses, ranges].map((count) => count.toLocaleString('en-US'));
    return [name, format, ...counts, importedAt.slice(0, 16).replace('T', ' '), attribution ?? ''];
  });
  terminal.write(`${fittingTable({ head, rows }, terminal)}\n`);
}
