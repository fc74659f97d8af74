import type { EvaluatedBatch } from '../batches/book-evaluator.ts';

/** Writes the rows of a book in order: number from 1, and a status for each carrier. Equal batches give equal bytes. */
export interface StatusWriter {
  write(batch: EvaluatedBatch): void;
  end(): Promise<void>;
}

/** Receives consecutive bytes. The caller may reuse the array afterwards. */
export type ByteSink = (bytes: Uint8Array) => void;
