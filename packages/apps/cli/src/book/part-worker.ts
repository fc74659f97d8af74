import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import { type BookRun, type BookTables, bookTables, hasTablesFor, runPart } from '@leeward/books';
import type { Catalog } from '@leeward/engine';
import { readCatalog } from '../carriers/carrier-files.ts';
import { openKnownLines } from '../lines/known-lines.ts';
import { createRowReader } from './read-book-row.ts';

export interface PartsOfBook {
  readonly run: BookRun;
  /** Name, or absolute path of the module. */
  readonly line: string;
  readonly work: string;
  /** Compiled tables of rows without dates. */
  readonly tables: BookTables;
  /** Certainties of the rule sets. */
  readonly certainties: readonly number[];
  /** Carriers for rows with a date. */
  readonly carriers: string;
  readonly terminal: { readonly environment: Readonly<Record<string, string | undefined>>; readonly folder: string };
  /** Sends `PartMessage`s; the caller replies with the index of a part, or null. */
  readonly port: MessagePort;
}

/** A request for the next part, or a number of evaluated rows. */
export type PartMessage = 'next' | number;

export interface FailedPart {
  readonly message: string;
  /** True if the user can correct it. */
  readonly isForeseen: boolean;
}

/** Runs parts on a thread while there are any. Returns the failure that ended it. */
export async function runPartsOfBook(parts: PartsOfBook): Promise<FailedPart | undefined> {
  const { run, line, work, tables, certainties, carriers, terminal, port } = parts;
  try {
    const lines = await openKnownLines(line, terminal.folder);
    const vocabulary = lines.requested!;
    const rows = createRowReader(new Date(run.asOf), vocabulary, terminal);
    let read: Catalog | undefined;
    const catalog = (): Catalog => {
      read ??= readCatalog(carriers, terminal.folder, lines);
      return read;
    };
    const send = (message: PartMessage) => port.postMessage(message);
    for (;;) {
      send('next');
      const [index] = (await once(port, 'message')) as [number | null];
      if (index === null) return undefined;
      await runPart({
        run,
        index,
        folder: work,
        carriers: {
          vocabulary,
          carrierKeys: run.carrierKeys,
          // Rows may have other dates than the run.
          bookTables: (dates) => (hasTablesFor(tables, dates) ? tables : bookTables(catalog(), dates)),
          certainties,
          catalog,
        },
        ...rows,
        onRows: send,
      });
    }
  } catch (error) {
    const { mistakeOf } = await import('../user-mistake.ts');
    const message = mistakeOf(error, terminal.folder)?.message;
    return { message: message ?? String((error as Error).stack), isForeseen: message !== undefined };
  } finally {
    port.close();
  }
}
