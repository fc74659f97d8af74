import { parentPort, workerData } from 'node:worker_threads';
import { BookFileError, runPart } from '@leeward/books';
import { type Catalog, homeVocabulary } from '@leeward/engine';
import { readCatalog } from '../carriers/carrier-files.ts';
import { mistakeOf } from '../user-mistake.ts';
import type { PartMessage, PartThreadData } from './part-message.ts';
import { createRowReader } from './read-book-row.ts';

/** One thread of a book: judges the parts that it is told to, one after the other. */

const { plan, work, tables, carriers, terminal } = workerData as PartThreadData;
const send = (message: PartMessage) => parentPort!.postMessage(message);
const readAlone = createRowReader(new Date(plan.asOf), homeVocabulary, terminal);
let catalog: Catalog | undefined;

parentPort!.on('message', async (index: number) => {
  try {
    await runPart({
      plan,
      index,
      folder: work,
      carriers: {
        vocabulary: homeVocabulary,
        carrierKeys: plan.carrierKeys,
        bookTables: ({ effectiveDate }) => tables.get(effectiveDate)!,
        catalog: () => {
          catalog ??= readCatalog(carriers, terminal.folder);
          return catalog;
        },
      },
      readAlone,
      onRows: (rows) => send({ rows }),
    });
    send({ done: index });
  } catch (error) {
    const message = error instanceof BookFileError ? error.message : mistakeOf(error, terminal.folder)?.message;
    send({ failed: index, message: message ?? String((error as Error).stack), isForeseen: message !== undefined });
  }
});
