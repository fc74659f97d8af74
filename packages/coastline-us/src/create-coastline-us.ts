import {
  buildCoastIndex,
  type Coast,
  CoastError,
  type CoastIndex,
  createCoast,
  decodeShoreline,
  openCoastIndex,
} from '@leeward/coast';
import { combinationRule } from './combination-rules.ts';
import type { CoastlineUsSource } from './data-files.ts';

/** The bytes of one shipped file or of both; or of indexes that `leeward coast build` made of them, which open at once. */
export type CoastlineUsBytes = { readonly [Source in CoastlineUsSource]?: Uint8Array };

/** What every compact shoreline begins with; a ready index begins with something else, and `openCoastIndex` checks it. */
const COMPACT_MAGIC = 'LEEWARDS';

/**
 * The coast of the United States from bytes already at hand. With both sources each answer's radius follows their
 * disagreement; GSHHG alone (for whoever will not have the ODbL) has the fixed radii of its header.
 * Throws a `CoastError`: `invalid_option` without any bytes, else what is wrong with them.
 */
export function createCoastlineUs(bytes: CoastlineUsBytes): Coast {
  const gshhg = bytes.gshhg && openSource(bytes.gshhg, 'gshhg');
  const osm = bytes.osm && openSource(bytes.osm, 'osm');
  if (gshhg && osm) return createCoast({ preferred: osm, check: gshhg, rule: combinationRule });
  const only = gshhg ?? osm;
  if (only === undefined)
    throw new CoastError('invalid_option', 'no bytes of a coastline were given: pass gshhg, osm or both');
  return createCoast(only);
}

function openSource(bytes: Uint8Array, source: CoastlineUsSource): CoastIndex {
  try {
    const magic = String.fromCharCode(...bytes.subarray(0, COMPACT_MAGIC.length));
    return magic === COMPACT_MAGIC ? buildCoastIndex(decodeShoreline(bytes)) : openCoastIndex(bytes);
  } catch (error) {
    if (error instanceof CoastError) throw new CoastError(error.code, `${source}: ${error.message}`);
    throw error;
  }
}
