import { parentPort, workerData } from 'node:worker_threads';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { readBook } from './decide-book.ts';
import { createTally } from './tally.ts';
import type { BookMessage, BookTask } from './threads.ts';

const { tables, columns, from, to, codes, vocabulary } = workerData as BookTask;
const loaded = (await import(vocabulary.module)) as Record<string, Vocabulary>;
const words = loaded[vocabulary.name]!;
const tally = createTally(words, tables.carrierCount);
const send = (message: BookMessage) => parentPort?.postMessage(message);

for (const chunk of readBook(tables, columns, words, { from, to, tally })) {
  const { rows } = chunk;
  codes?.set(chunk.codes.subarray(0, rows * tables.carrierCount), chunk.from * tables.carrierCount);
  send({ rows });
}
send({ counts: tally.counts() });
