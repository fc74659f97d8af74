import { resolve } from 'node:path';
import { shippedLines } from '@leeward/lines';
import { suggest } from '@leeward/terms';
import { isModule } from '../lines/import-line.ts';

/** Lines of business that can be on by their names, homes first. */
export const lineNames: readonly string[] = ['home', ...shippedLines.keys()];

/**
 * Parses a list of lines by name or module; homes are always included.
 *
 * @throws {RangeError} Its message continues after the name of the setting.
 */
export function readLines(text: string): readonly string[] {
  const names = listed(text).filter((name) => name !== '');
  const unknown = names.find((name) => !isModule(name) && !lineNames.includes(name));
  if (unknown !== undefined) {
    const near = suggest(unknown, lineNames);
    const others = `give some of: ${lineNames.join(', ')}, or name a module with a line of your own, as ./renters.ts.`;
    const hint = near === undefined ? others : `did you mean ${near}?`;
    throw new RangeError(`names ${JSON.stringify(unknown)}, which is not a line of business; ${hint}`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`names ${JSON.stringify(twice)} twice; name it once.`);
  if (!names.includes('home'))
    throw new RangeError(`is ${JSON.stringify(text)}; homes are always on: begin with home.`);
  return names;
}

/** Like `readLines`, with absolute module paths. */
export function placeLines(text: string, folder: string): string {
  return listed(text)
    .map((name) => (isModule(name) ? resolve(folder, name) : name))
    .join(',');
}

function listed(text: string): string[] {
  return text.split(',').map((name) => {
    const lineName = name.trim();
    return isModule(lineName) ? lineName : lineName.toLowerCase();
  });
}
