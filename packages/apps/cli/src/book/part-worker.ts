import { parentPort, workerData } from 'node:worker_threads';
import { bookTables, runPart } from '@leeward/books';
import type { Catalog } from '@leeward/engine';
import { readCatalog } from '../carriers/carrier-files.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import type { PartMessage, PartThreadData } from './part-message.ts';
import { createRowReader } from './read-book-row.ts';

/** One thread of a book: judges the parts that it is told to, one after the other. */

const { plan, line, work, tables, carriers, terminal } = workerData as PartThreadData;
const send = (message: PartMessage) => parentPort!.postMessage(message);
const lines = await openKnownLines(line, terminal.folder);
const vocabulary = lines.asked!;
const rows = createRowReader(new Date(plan.asOf), vocabulary, terminal);
let read: Catalog | undefined;
const catalog = (): Catalog => {
  read ??= readCatalog(carriers, terminal.folder, lines);
  return read;
};

parentPort!.on('message', async (index: number) => {
  try {
    await runPart({
      plan,
      index,
      folder: work,
      carriers: {
        vocabulary,
        carrierKeys: plan.carrierKeys,
        // Rows may bring other dates.
        bookTables: (at) => tables.get(at.effectiveDate) ?? bookTables(catalog(), at),
        catalog,
      },
      ...rows,
      onRows: (rows) => send({ rows }),
    });
    send({ done: index });
  } catch (error) {
    const { mistakeOf } = await import('../user-mistake.ts');
    const message = mistakeOf(error, terminal.folder)?.message;
    send({ failed: index, message: message ?? String((error as Error).stack), isForeseen: message !== undefined });
  }
});
