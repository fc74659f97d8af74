import { readFileSync } from 'node:fs';
import { type Coast, CoastError, createCoast, openCoastData } from '@leeward/coast';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { type CoastPort, createServedCoast } from '@leeward/http/distance';
import { CommandError } from '../command-error.ts';
import { describeRefusal } from '../describe-refusal.ts';
import { isShipped, SHIPPED_COASTLINE, SHIPPED_WITHOUT_OSM } from '../settings/coastline-names.ts';

/** The shipped coastline, or an index or shoreline file. Throws a `CommandError` that names the file and its fault. */
export function openCoastline(name: string, path = name): Coast {
  if (name === SHIPPED_COASTLINE) return loadCoastlineUs();
  if (name === SHIPPED_WITHOUT_OSM) return loadCoastlineUs({ sources: ['gshhg'] });
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const way = isShipped(name) ? 'the shipped coastlines are us and us:gshhg' : 'name a file of leeward coast build';
    throw new CommandError(`The coastline ${name} cannot be read (${code ?? String(error)}); ${way}.`, { exitCode: 2 });
  }
  return saying(() => createCoast(openCoastData(bytes, name)));
}

/**
 * Coastlines in order, each layer by name.
 *
 * @throws {CommandError}
 */
export function openCoastlines(names: readonly string[]): {
  readonly coast: CoastPort;
  readonly coasts: readonly Coast[];
} {
  const coasts = names.map((name) => openCoastline(name));
  return { coast: saying(() => createServedCoast(coasts)), coasts };
}

function saying<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof CoastError ? new CommandError(describeRefusal(error)) : error;
  }
}
