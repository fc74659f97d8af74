import { pathToFileURL } from 'node:url';
import type { Line } from '@leeward/engine';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

/** Whether a line is named by a module that has it, not by its own name. */
export function isModule(name: string): boolean {
  return /[\\/.]/.test(name);
}

/** The one line that a module exports, under whatever name. Throws a `CommandError` where it has none or several. */
export async function importLine(path: string, folder: string): Promise<Line> {
  const file = nearPath(path, folder);
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(path).href)) as typeof module;
  } catch (error) {
    throw new CommandError(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`, {
      exitCode: 2,
    });
  }
  const found = new Set(Object.values(module).filter(isLine));
  const [line] = found;
  if (line && found.size === 1) return line;
  const has = found.size === 0 ? 'no line' : `${found.size} lines`;
  throw new CommandError(`${file} exports ${has}; export one that defineLine made.`, { exitCode: 2 });
}

function isLine(given: unknown): given is Line {
  const { vocabulary, products } = (given ?? {}) as Partial<Line>;
  // A catalog has a vocabulary too.
  return typeof vocabulary?.line === 'string' && Array.isArray(vocabulary.fields) && Array.isArray(products);
}
