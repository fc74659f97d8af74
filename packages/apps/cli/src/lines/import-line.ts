import { pathToFileURL } from 'node:url';
import type { Line } from '@leeward/engine';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

/** True for a module path. */
export function isModule(name: string): boolean {
  return /[\\/.]/.test(name);
}

/**
 * The only line of a module.
 *
 * @throws {CommandError} If there is none or more than one.
 */
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
  const lines = new Set(Object.values(module).filter(isLine));
  const [line] = lines;
  if (line && lines.size === 1) return line;
  const has = lines.size === 0 ? 'no line' : `${lines.size} lines`;
  throw new CommandError(`${file} exports ${has}; export one that defineLine made.`, { exitCode: 2 });
}

function isLine(value: unknown): value is Line {
  const { vocabulary, products } = (value ?? {}) as Partial<Line>;
  // A catalog has a vocabulary too.
  return typeof vocabulary?.line === 'string' && Array.isArray(vocabulary.fields) && Array.isArray(products);
}
