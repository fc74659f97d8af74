import { shippedLines } from '@leeward/lines';
import { suggest } from '@leeward/terms';

/** Lines of business that can be on, homes first. */
export const lineNames: readonly string[] = ['home', ...shippedLines.keys()];

/** Lines by name, as a setting lists them; homes are always among them. Throws a `RangeError` that goes on from the name of what was set. */
export function readLines(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const unknown = names.find((name) => !lineNames.includes(name));
  if (unknown !== undefined) {
    const near = suggest(unknown, lineNames);
    const hint = near === undefined ? `give some of: ${lineNames.join(', ')}.` : `did you mean ${near}?`;
    throw new RangeError(`names ${JSON.stringify(unknown)}, which is no line; ${hint}`);
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`names ${JSON.stringify(twice)} twice; name it once.`);
  if (!names.includes('home'))
    throw new RangeError(`is ${JSON.stringify(text)}; homes are always on: begin with home.`);
  return names;
}
