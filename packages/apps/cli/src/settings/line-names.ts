import { shippedLines } from '@leeward/lines';
import { suggest } from '@leeward/terms';
import { isModule, placeLine, splitLine } from '../lines/import-line.ts';

/** Lines of business that can be on by their names, homes first. */
export const lineNames: readonly string[] = ['home', ...shippedLines.keys()];

/**
 * Parses a list of lines by name or module; homes are always included.
 *
 * @throws {RangeError} Its message continues after the name of the setting.
 */
export function readLines(text: string): readonly string[] {
  const names = listed(text).filter((name) => name !== '');
  const baseOf = (name: string) => splitLine(name).base;
  const unknown = names.find((name) => !isModule(baseOf(name)) && !lineNames.includes(baseOf(name)));
  if (unknown !== undefined) {
    const near = suggest(baseOf(unknown), lineNames);
    const others = `give some of: ${lineNames.join(', ')}, or name a module with a line of your own, as ./renters.ts. A file adds fields: home+./fields.json.`;
    const hint = near === undefined ? others : `did you mean ${near}?`;
    throw new RangeError(`names ${JSON.stringify(unknown)}, which is not a line of business; ${hint}`);
  }
  const bases = names.map(baseOf);
  const twice = bases.find((name, index) => bases.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`names ${JSON.stringify(twice)} twice; name it once.`);
  if (!bases.includes('home'))
    throw new RangeError(`is ${JSON.stringify(text)}; homes are always on: begin with home.`);
  return names;
}

/** Like `readLines`, with absolute module paths. */
export function placeLines(text: string, folder: string): string {
  return listed(text)
    .map((name) => placeLine(name, folder))
    .join(',');
}

function listed(text: string): string[] {
  return text.split(',').map((name) => {
    const { base, fieldFiles } = splitLine(name);
    return [isModule(base) ? base : base.toLowerCase(), ...fieldFiles].join('+');
  });
}
