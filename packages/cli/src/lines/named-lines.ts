import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Line } from '@leeward/engine';
import { shippedLines } from '@leeward/lines';

/** The lines of these names; homes, which are always there, are none of them. */
export function linesNamed(names: readonly string[]): readonly Line[] {
  return names.flatMap((name) => shippedLines.get(name) ?? []);
}

/** The modules that have the shipped lines, for threads that read them on their own. */
export function lineModules(): readonly string[] {
  return [pathToFileURL(createRequire(import.meta.url).resolve('@leeward/lines')).href];
}
