/** Kinds of national files. */
export type NationalKind = 'tiger-coastline' | 'tiger-areawater' | 'cusp' | 'nhd';

const NAMES: readonly (readonly [NationalKind, RegExp])[] = [
  ['tiger-coastline', /^tl_\d{4}_us_coastline\b/i],
  ['tiger-areawater', /^tl_\d{4}_\d{5}_areawater\b/i],
  ['nhd', /^nhd(?:flowline|area|waterbody|line)(?:_\d+)?\./i],
  // Tiles of five degrees (N25W080), or exports of the viewer.
  ['cusp', /^(?:[ns]\d{1,2}[ew]\d{1,3}|.*cusp.*)\./i],
];

/**
 * Returns the kind of a file by its published name, or undefined.
 * @example
 * recognizeNationalFile('tl_2024_12086_areawater.zip'); // 'tiger-areawater'
 */
export function recognizeNationalFile(name: string): NationalKind | undefined {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0];
}
