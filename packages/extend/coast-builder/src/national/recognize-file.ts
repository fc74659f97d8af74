/** What a national file is, by the name that its office gives it. */
export type NationalKind = 'tiger-coastline' | 'tiger-areawater' | 'cusp' | 'nhd';

const NAMES: readonly (readonly [NationalKind, RegExp])[] = [
  ['tiger-coastline', /^tl_\d{4}_us_coastline\b/i],
  ['tiger-areawater', /^tl_\d{4}_\d{5}_areawater\b/i],
  ['nhd', /^nhd(?:flowline|area|waterbody|line)(?:_\d+)?\./i],
  // Tiles of five degrees (N25W080), or what the viewer exports.
  ['cusp', /^(?:[ns]\d{1,2}[ew]\d{1,3}|.*cusp.*)\./i],
];

/** Recognizes `tl_2024_us_coastline.shp`, `tl_2024_12086_areawater.zip`, `NHDArea.shp`, `N25W080.shp`, `CUSPLine.shp`; undefined for any other name. */
export function recognizeNationalFile(name: string): NationalKind | undefined {
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0];
}
