import {
  type Coast,
  CoastError,
  type CoastIndex,
  type CombinedSources,
  createCoast,
  decodeConflation,
  openCoastData,
} from '@leeward/coast';
import type { CoastlineUsSource } from './data-files.ts';
import { readTidalWaters, type TidalWaterBytes } from './tidal-waters.ts';

/** One or both shipped files, or indexes made of them by `leeward coast build`. */
export type CoastlineUsBytes = { readonly [Source in CoastlineUsSource]?: Uint8Array } & {
  /** Only for both shipped files. */
  readonly conflation?: Uint8Array;
};

/**
 * Creates the coast of the United States from bytes. One source has the radii of its header. Both together need the conflation: without
 * it the smaller radius of both applies to all shores. @param tidalWaters adds rivers and gauges to `tidal`. @throws CoastError
 * `invalid_option` without a source, `mismatched_files`, or the errors of the files.
 * @example
 * const coast = createCoastlineUs({ gshhg: new Uint8Array(await (await fetch(coastlineUsFiles.gshhg)).arrayBuffer()) });
 */
export function createCoastlineUs(bytes: CoastlineUsBytes, tidalWaters: TidalWaterBytes = {}): Coast {
  const waters = readTidalWaters(tidalWaters);
  const { gshhg, osm } = bytes;
  if (gshhg && osm) return createCoast(combineCoastlineUs({ ...bytes, gshhg, osm }), waters);
  const only = gshhg ?? osm;
  if (only === undefined)
    throw new CoastError('invalid_option', 'the bytes of a coastline are missing: pass gshhg, osm or both');
  if (bytes.conflation)
    throw new CoastError('invalid_option', 'the conflation belongs to both files: pass gshhg and osm');
  return createCoast(openCoastData(only, gshhg ? 'gshhg' : 'osm'), waters);
}

/**
 * Opens both shorelines as sources of `createCoast`, for other tidal waters. @throws CoastError `mismatched_files`, or the errors of the
 * files.
 * @example
 * const coast = createCoast(combineCoastlineUs({ gshhg, osm, conflation }), waters);
 */
export function combineCoastlineUs({
  gshhg,
  osm,
  conflation: bytes,
}: CoastlineUsBytes & Required<Pick<CoastlineUsBytes, CoastlineUsSource>>): CombinedSources {
  if (bytes === undefined) return { preferred: openCoastData(osm, 'osm'), check: openCoastData(gshhg, 'gshhg') };
  let whole: CoastIndex | undefined;
  return openConflated({ gshhg, osm, conflation: bytes }, () => {
    whole ??= openCoastData(gshhg, 'gshhg');
    return whole;
  });
}

/** @param wholeCheck opens GSHHG without classes, once. */
export function openConflated(
  { gshhg, osm, conflation: bytes }: Readonly<Record<CoastlineUsSource | 'conflation', Uint8Array>>,
  wholeCheck: () => CoastIndex,
): CombinedSources {
  const conflation = decodeConflation(bytes, { preferred: osm, check: gshhg });
  return {
    preferred: openCoastData(osm, 'osm', conflation.preferred.classes),
    check: openCoastData(gshhg, 'gshhg', conflation.check.classes),
    conflation,
    wholeCheck,
  };
}
