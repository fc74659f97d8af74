import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Coast, CoastError } from '@leeward/coast';
import { CommandError } from '../command-error.ts';
import { describeRefusal } from '../describe-refusal.ts';
import { openCoastline } from '../serve/open-coastlines.ts';
import { SHIPPED_COASTLINE } from '../settings/coastline-names.ts';
import type { Terminal } from '../terminal.ts';

/** A custom index or shoreline; default `us`. */
export function openCoast(file: string | undefined, terminal: Terminal): Coast {
  const name = file ?? SHIPPED_COASTLINE;
  return openCoastline(name, resolve(terminal.folder, name));
}

export function bytesOf(file: string, terminal: Terminal): Uint8Array {
  try {
    return readFileSync(resolve(terminal.folder, file));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`, {
      exitCode: 2,
    });
  }
}

/** Reports a refusal in one sentence. */
export async function orSay(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof CoastError ? new CommandError(describeRefusal(error)) : error;
  }
}
