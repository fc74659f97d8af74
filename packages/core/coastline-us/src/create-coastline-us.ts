import { type Coast, CoastError, type CoastIndex, createCoast, openCoastData, type TidalWaters } from '@leeward/coast';
import { combinationRule } from './combination-rules.ts';
import type { CoastlineUsSource } from './data-files.ts';
import { readTidalWaters, type TidalWaterBytes } from './tidal-waters.ts';

/** One or both shipped files, or indexes made of them by `leeward coast build`. */
export type CoastlineUsBytes = { readonly [Source in CoastlineUsSource]?: Uint8Array };

/**
 * Creates the coast of the United States from bytes. With both sources the radius depends on their disagreement; one source has the
 * fixed radii of its header. @param tidalWaters adds rivers and gauges to `tidal`. @throws CoastError `invalid_option` without a source,
 * or the errors of the files.
 * @example
 * const coast = createCoastlineUs({ gshhg: new Uint8Array(await (await fetch(coastlineUsFiles.gshhg)).arrayBuffer()) });
 */
export function createCoastlineUs(bytes: CoastlineUsBytes, tidalWaters: TidalWaterBytes = {}): Coast {
  const indexes: CoastlineUsIndexes = {
    gshhg: bytes.gshhg && openCoastData(bytes.gshhg, 'gshhg'),
    osm: bytes.osm && openCoastData(bytes.osm, 'osm'),
  };
  return combineIndexes(indexes, readTidalWaters(tidalWaters));
}

/** Several coasts can share one. */
export type CoastlineUsIndexes = { readonly [Source in CoastlineUsSource]?: CoastIndex | undefined };

export function combineIndexes({ gshhg, osm }: CoastlineUsIndexes, waters: TidalWaters | undefined): Coast {
  if (gshhg && osm) return createCoast({ preferred: osm, check: gshhg, rule: combinationRule }, waters);
  const only = gshhg ?? osm;
  if (only === undefined)
    throw new CoastError('invalid_option', 'the bytes of a coastline are missing: pass gshhg, osm or both');
  return createCoast(only, waters);
}
