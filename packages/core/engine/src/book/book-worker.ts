import { parentPort, workerData } from 'node:worker_threads';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { BookTables } from './book-tables.ts';
import { type BookMessage, type BookTask, NEXT_ROW, ROWS_TAKEN, STOPPED, type VocabularySource } from './book-task.ts';
import { readBook } from './decide-book.ts';
import { createTally } from './tally.ts';

/** One thread of a book: takes rows until none are left, and counts what it found. */

const vocabulary = await loadVocabulary(workerData as VocabularySource | undefined);
const tablesKept = new Map<number, BookTables>();
const send = (message: BookMessage) => parentPort!.postMessage(message);

parentPort!.on('message', (task: BookTask) => {
  const { run } = task;
  try {
    if (task.tables) tablesKept.set(task.tablesId, task.tables);
    if (task.forget !== undefined) tablesKept.delete(task.forget);
    judge(task, tablesKept.get(task.tablesId)!);
  } catch (error) {
    send({ run, error });
  }
});

function judge({ run, columns, first, codes, control }: BookTask, tables: BookTables): void {
  const { carrierCount } = tables;
  const tally = createTally(vocabulary, carrierCount);
  while (Atomics.load(control, STOPPED) === 0) {
    const from = Atomics.add(control, NEXT_ROW, ROWS_TAKEN);
    if (from >= columns.rows) break;
    const to = Math.min(columns.rows, from + ROWS_TAKEN);
    for (const chunk of readBook(tables, columns, vocabulary, { from, to, tally })) {
      codes?.set(chunk.codes.subarray(0, chunk.rows * carrierCount), (first + chunk.from) * carrierCount);
    }
    send({ run, rows: to - from });
  }
  send({ run, counts: tally.counts() });
}

/** Homes without the rest of the package: a thread begins sooner. */
async function loadVocabulary(source: VocabularySource | undefined): Promise<Vocabulary> {
  if (!source) return (await import('../vocabulary/home.ts')).homeVocabulary;
  const loaded = (await import(source.module)) as Record<string, Vocabulary>;
  const vocabulary = loaded[source.name];
  if (!vocabulary) throw new RangeError(`${source.module} exports no vocabulary ${source.name}.`);
  return vocabulary;
}
