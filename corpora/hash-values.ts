import { createHash, type Hash } from 'node:crypto';
import { canonical } from './canonical.ts';

/** Hash of the values of a column in their canonical form. */
export function hashValues(values: readonly unknown[]): string {
  const sum = createHash('sha256');
  for (const value of values) sum.update(`${canonical(value)}\n`);
  return hashOf(sum);
}

export const hashOf = (sum: Hash): string => sum.digest('hex').slice(0, 16);
