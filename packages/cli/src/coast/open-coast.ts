import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Coast, CoastError, createCoast, openCoastData } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';

/** The coast of an index or shoreline of one's own; by default, or of `us`, the shipped coastline. */
export function openCoast(file: string | undefined, terminal: Terminal): Coast {
  if (file === undefined || file === 'us') return loadCoastlineUs();
  return createCoast(openCoastData(bytesOf(file, terminal), file));
}

export function bytesOf(file: string, terminal: Terminal): Uint8Array {
  try {
    return readFileSync(resolve(terminal.folder, file));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code ?? String(error)}.`);
  }
}

/** What the coast refuses is told in one sentence. */
export async function orSay(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof CoastError ? new CommandError(tellRefusal(error)) : error;
  }
}

export function tellRefusal({ message }: CoastError): string {
  return `${message[0]?.toUpperCase()}${message.slice(1)}.`;
}
