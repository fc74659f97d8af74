import { type Coast, CoastError, type CoastIndex, createCoast, openCoastData, type TidalWaters } from '@leeward/coast';
import { combinationRule } from './combination-rules.ts';
import type { CoastlineUsSource } from './data-files.ts';
import { readTidalWaters, type TidalWaterBytes } from './tidal-waters.ts';

/** The bytes of one shipped file or of both; or of indexes that `leeward coast build` made of them, which open at once. */
export type CoastlineUsBytes = { readonly [Source in CoastlineUsSource]?: Uint8Array };

/**
 * The coast of the United States from bytes already at hand. With both sources each answer's radius follows their
 * disagreement; GSHHG alone (for whoever will not have the ODbL) has the fixed radii of its header. Where bytes of tidal waters are
 * given, answers to `tidal` know of rivers and gauges beyond the shores.
 * Throws a `CoastError`: `invalid_option` without any bytes, else what is wrong with them.
 */
export function createCoastlineUs(bytes: CoastlineUsBytes, tidalWaters: TidalWaterBytes = {}): Coast {
  const indexes: CoastlineUsIndexes = {
    gshhg: bytes.gshhg && openCoastData(bytes.gshhg, 'gshhg'),
    osm: bytes.osm && openCoastData(bytes.osm, 'osm'),
  };
  return combineIndexes(indexes, readTidalWaters(tidalWaters));
}

/** Indexes that are open already; one may serve several coasts. */
export type CoastlineUsIndexes = { readonly [Source in CoastlineUsSource]?: CoastIndex | undefined };

export function combineIndexes({ gshhg, osm }: CoastlineUsIndexes, waters: TidalWaters | undefined): Coast {
  if (gshhg && osm) return createCoast({ preferred: osm, check: gshhg, rule: combinationRule }, waters);
  const only = gshhg ?? osm;
  if (only === undefined)
    throw new CoastError('invalid_option', 'no bytes of a coastline were given: pass gshhg, osm or both');
  return createCoast(only, waters);
}
