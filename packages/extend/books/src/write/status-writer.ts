import type { EvaluatedBatch } from '../batches/book-evaluator.ts';

/**
 * Writes what was said of a book, every row once and in order: its number from 1, and a status for each carrier; of a rejected row,
 * none. The same batches give the same bytes.
 */
export interface StatusWriter {
  write(batch: EvaluatedBatch): void;
  /** Writes what is left. The file is complete then. */
  end(): Promise<void>;
}

/** Takes bytes, in order. */
export type ByteSink = (bytes: Uint8Array) => void;
