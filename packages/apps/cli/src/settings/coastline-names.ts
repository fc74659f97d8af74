import { resolve } from 'node:path';

/** The included coastline: both sources, or GSHHG alone to avoid the ODbL. */
export const SHIPPED_COASTLINE = 'us';
export const SHIPPED_WITHOUT_OSM = 'us:gshhg';

/**
 * Parses a list of coastlines.
 *
 * @throws {RangeError} Its message continues after the name of the setting.
 */
export function readCoastlines(text: string): readonly string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const way = 'name files of leeward coast build, and us for the shipped coastline';
  if (names.length === 0) throw new RangeError(`is ${JSON.stringify(text)}; ${way}.`);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new RangeError(`names ${JSON.stringify(twice)} twice; ${way}.`);
  const odd = names.find((name) => name.startsWith('us:') && name !== SHIPPED_WITHOUT_OSM);
  if (odd === undefined) return names;
  throw new RangeError(`names ${JSON.stringify(odd)}; the shipped ones are us and us:gshhg.`);
}

/** Like `readCoastlines`, with absolute paths. */
export function placeCoastlines(text: string, folder: string): readonly string[] {
  return text.split(',').map((name) => placeCoastline(name.trim(), folder));
}

export function isShipped(name: string): boolean {
  return name === SHIPPED_COASTLINE || name.startsWith(`${SHIPPED_COASTLINE}:`);
}

function placeCoastline(name: string, folder: string): string {
  return name === '' || isShipped(name) ? name : resolve(folder, name);
}
