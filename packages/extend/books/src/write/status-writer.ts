import type { EvaluatedBatch } from '../batches/book-evaluator.ts';

/** The written parts of a batch. */
export interface WrittenBatch extends Omit<EvaluatedBatch, 'counties' | 'states' | 'policyTypes' | 'placeNotes'> {
  /** The values of extras columns: by column, then by row; null if missing. @default none */
  readonly extras?: readonly (readonly unknown[])[];
}

/** Writes the rows of a book in order: number from 1, and a status for each carrier. Equal batches give equal bytes. */
export interface StatusWriter {
  write(batch: WrittenBatch): void;
  end(): Promise<void>;
}

/** Receives consecutive bytes. The caller may reuse the array afterwards. */
export type ByteSink = (bytes: Uint8Array) => void;
