import type { Line } from '@leeward/engine';
import { condo } from './condo/condo.ts';
import { flood } from './flood/flood.ts';

/** Lines in addition to homes, by name; announced until they are turned on. */
export const shippedLines: ReadonlyMap<string, Line> = new Map(
  [condo, flood].map((line) => [line.vocabulary.line, line] as const),
);

/**
 * Folder of a line's invented carriers: `<carrier>/{rule-set,cases,rating-plan}.json`.
 *
 * @example
 * const path = new URL('tidegate_private/rule-set.json', carriersOfLine('flood'));
 */
export function carriersOfLine(name: string): URL {
  // From `src` and from `dist` alike.
  return new URL(`../src/${name}/carriers/`, import.meta.url);
}
