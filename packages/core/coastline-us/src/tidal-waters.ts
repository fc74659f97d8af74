import { decodeShoreline, type Shoreline, type TidalWaters } from '@leeward/coast';
import type { TidalWaterSource } from './data-files.ts';

/** The bytes of the files of tidal waters, as many of them as one will have. */
export type TidalWaterBytes = { readonly [Source in TidalWaterSource]?: Uint8Array };

/** Where the tide has been measured, and the rivers from there down to the shore. */
const CERTAIN: readonly TidalWaterSource[] = ['noaaGauges', 'ticonGauges', 'tidalRivers'];
/** Rivers near a shore or a tidal river, and ways between gauges that no source draws. */
const POSSIBLE: readonly TidalWaterSource[] = ['possibleRivers', 'gaugeLinks'];

/** Tidal waters from the bytes of their files; undefined without any. */
export function readTidalWaters(bytes: TidalWaterBytes): TidalWaters | undefined {
  const read = (sources: readonly TidalWaterSource[]): Shoreline[] =>
    sources.flatMap((source) => (bytes[source] === undefined ? [] : [decodeShoreline(bytes[source])]));
  const certain = read(CERTAIN);
  const possible = read(POSSIBLE);
  return certain.length + possible.length === 0 ? undefined : { certain, possible };
}
