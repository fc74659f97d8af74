import { decodeShoreline, type Shoreline, type TidalWaters } from '@leeward/coast';
import type { TidalWaterSource } from './data-files.ts';

/** All are optional. */
export type TidalWaterBytes = { readonly [Source in TidalWaterSource]?: Uint8Array };

/** Gauges, and rivers from gauges down to the shore. */
const CERTAIN: readonly TidalWaterSource[] = ['noaaGauges', 'ticonGauges', 'tidalRivers'];
/** Rivers near a shore or a tidal river, and links between gauges. */
const POSSIBLE: readonly TidalWaterSource[] = ['possibleRivers', 'gaugeLinks'];

/**
 * Undefined without a file.
 * @example
 * createCoast(index, readTidalWaters({ noaaGauges: bytes }));
 */
export function readTidalWaters(bytes: TidalWaterBytes): TidalWaters | undefined {
  const read = (sources: readonly TidalWaterSource[]): Shoreline[] =>
    sources.flatMap((source) => (bytes[source] === undefined ? [] : [decodeShoreline(bytes[source])]));
  const certain = read(CERTAIN);
  const possible = read(POSSIBLE);
  return certain.length + possible.length === 0 ? undefined : { certain, possible };
}
