import type { ReadBatch } from '../columns/book-reader.ts';

/** Rows that columns hold and that bring a point. */
export function placedRows({ lat, lng, doubtful }: ReadBatch, rows: number): number[] {
  const placed: number[] = [];
  if (!lat || !lng) return placed;
  for (let row = 0; row < rows; row++) if (doubtful[row] === 0 && !Number.isNaN(lat[row]!)) placed.push(row);
  return placed;
}

/** Marks rows as to be read by themselves. */
export function leaveRows({ doubtful }: ReadBatch, rows: readonly number[]): void {
  for (const row of rows) doubtful[row] = 1;
}
