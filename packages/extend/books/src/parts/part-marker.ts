import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BookFileError } from '../source/book-file-error.ts';
import { type BookPlan, partName } from './book-plan.ts';
import type { TallyJson } from './tally-json.ts';

/** The file that marks a part as complete. Every run of the part writes the same marker. */
export interface PartMarker {
  readonly part: number;
  readonly hash: string;
  readonly first_row: number;
  readonly rows: number;
  readonly rejected: number;
  readonly output: { readonly bytes: number; readonly sha256: string } | null;
  readonly rejects: { readonly bytes: number; readonly sha256: string } | null;
  readonly effective_dates: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  readonly tally: TallyJson;
}

/**
 * Paths of a part's files.
 *
 * @example
 * const { output, rejects } = partFiles(plan, 17, 'plan');
 */
export function partFiles(plan: BookPlan, index: number, folder: string) {
  const name = partName(index, plan.parts[index]!);
  return {
    output: join(folder, `${name}.${plan.output}`),
    rejects: join(folder, `${name}.rejects.ndjson`),
    marker: join(folder, `${name}.json`),
    failure: join(folder, `${name}.failed.json`),
  };
}

/**
 * Reads the marker of a part; undefined if the part is not complete.
 *
 * @throws {BookFileError} if the marker is damaged.
 *
 * @example
 * const isComplete = readMarker(plan, 17, 'plan') !== undefined;
 */
export function readMarker(plan: BookPlan, index: number, folder: string): PartMarker | undefined {
  const path = partFiles(plan, index, folder).marker;
  try {
    const marker = JSON.parse(readFileSync(path, 'utf8')) as PartMarker;
    return marker.hash === plan.parts[index]!.hash ? marker : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
    throw new BookFileError(`${path} is damaged or cut off: remove it and run part ${index} again.`);
  }
}
