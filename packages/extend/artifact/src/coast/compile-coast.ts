/**
 * Packs the shores and tidal waters of `@leeward/coastline-us` for the coast kernel, without the lines that never answer: shores of
 * neighbours, lakes, and tidal shores that the other source draws better. `coast-kernel/shores.ts` reads the data.
 */
import {
  type AccuracyTable,
  decodeConflation,
  decodeShoreline,
  NEIGHBOUR_LAYER,
  type Shoreline,
  SUPERSEDED_CLASS,
} from '@leeward/coast';
import { HEADER_BYTES, ImageWriter } from '../tables/image-writer.ts';
import { type KindedLines, type SegmentKind, writeLines } from './line-writer.ts';
import { mergeWaters } from './merge-waters.ts';

/** The bytes of all files of `@leeward/coastline-us`, by their names there. */
export type CoastFiles = Readonly<
  Record<'osm' | 'gshhg' | 'conflation' | (typeof KNOWN | typeof POSSIBLE)[number], Uint8Array>
>;

/** Gauges, and rivers from gauges down to the shore. */
const KNOWN = ['noaaGauges', 'ticonGauges', 'tidalRivers'] as const;
/** Rivers near a shore or a tidal river, and links between gauges. */
const POSSIBLE = ['possibleRivers', 'gaugeLinks'] as const;

/** A source of the data. */
export interface CoastSource {
  readonly name: string;
  readonly version: string;
  /** Authors and licence. */
  readonly attribution: string;
}

/** The shores of the United States for the coast kernel. */
export interface CompiledCoast {
  readonly data: Uint8Array;
  /** In the order of the numbers that the kernel returns. */
  readonly sources: readonly CoastSource[];
}

const MAGIC = 0x5453434c;
const VERSION = 1;
const COAST_HEADER_BYTES = 256;
/** As in `coast-kernel/measure.ts`. */
const LAYER_BITS = [
  ['tidal', 1],
  ['ocean_narrow', 2],
  ['ocean', 4],
] as const;
const OWN_BITS_SHIFT = 2;
const MIN_SCALE_METERS = 1e-6;

/**
 * Compiles the shipped shores for the coast kernel, whose answers equal those of `loadCoastlineUs()`. Takes about a second.
 *
 * @throws CoastError for damaged files or files of different releases, RangeError for shores that the kernel cannot hold
 *
 * @example
 * const { data, sources } = compileCoast(files);
 */
export function compileCoast(files: CoastFiles): CompiledCoast {
  const conflation = decodeConflation(files.conflation, { preferred: files.osm, check: files.gshhg });
  const [osm, gshhg] = [decodeShoreline(files.osm), decodeShoreline(files.gshhg)];
  const knownWaters = KNOWN.map((source) => decodeShoreline(files[source]));
  const possibleWaters = POSSIBLE.map((source) => decodeShoreline(files[source]));
  const sources = [osm, gshhg, ...knownWaters, ...possibleWaters].map(({ name, version, attribution }) => ({
    name,
    version,
    attribution,
  }));
  if (JSON.stringify([osm.coverage, 'right', 'right']) !== JSON.stringify([gshhg.coverage, osm.water, gshhg.water])) {
    throw new RangeError(
      'the shores differ in coverage, or have water on the left: the coast kernel does not read them',
    );
  }
  const { lines: waters, groups } = mergeWaters(knownWaters, possibleWaters);
  const writer = new ImageWriter();
  // The header is longer than that of a table image.
  writer.add(new Uint8Array(COAST_HEADER_BYTES - HEADER_BYTES));
  const classes = conflation.classes.map(({ radiusMeters, errorQuantilesMeters: quantiles }) => [
    radiusMeters,
    ...scalesOf(conflation.probabilities, quantiles),
    ...quantiles,
  ]);
  const waterNumbers = groups.map((group) => [
    group.reachMeters,
    group.probability,
    Number(group.isKnown),
    group.source + 2,
  ]);
  const boxes = osm.coverage.map(({ west, south, east, north }) => [south, north, west, east]);
  // The smallest radius is that of the lines, without the classification of layers.
  const wholeRadius = Float64Array.of(Math.min(...gshhg.accuracy.radiusMeters));
  const words = [
    writer.add(Float64Array.from(classes.flat())),
    classes.length,
    writer.add(Float64Array.from(conflation.probabilities)),
    conflation.probabilities.length,
    writer.add(Float64Array.from(waterNumbers.flat())),
    groups.length,
    writer.add(Float64Array.from(boxes.flat())),
    boxes.length,
    0,
    ...new Uint32Array(wholeRadius.buffer),
    0,
    0,
    ...writeLines(writer, kindedShore(osm, conflation.preferred.classes, 0)),
    ...writeLines(writer, kindedShore(gshhg, conflation.check.classes, OWN_BITS_SHIFT)),
    ...writeLines(writer, waters),
  ];
  return { data: writer.finish(Uint32Array.of(MAGIC, VERSION, writer.length, ...words)), sources };
}

/** Scales of exponential tails that continue the slope of the outermost two quantiles, as `ErrorDistribution` of `@leeward/coast`. */
function scalesOf(probabilities: AccuracyTable['probabilities'], quantiles: readonly number[]): [number, number] {
  const last = quantiles.length - 1;
  const low = (quantiles[1]! - quantiles[0]!) / Math.log(probabilities[1]! / probabilities[0]!);
  const high =
    (quantiles[last]! - quantiles[last - 1]!) / Math.log((1 - probabilities[last - 1]!) / (1 - probabilities[last]!));
  return [Math.max(low, MIN_SCALE_METERS), Math.max(high, MIN_SCALE_METERS)];
}

/** @param ownBitsShift is not 0 for the check: it has a second classification of oceans, with superseded segments. */
function kindedShore(shoreline: Shoreline, classes: Uint8Array, ownBitsShift: number): KindedLines {
  const bitOf = (layer: string): number => {
    const index = shoreline.layerNames.indexOf(layer);
    if (index < 0)
      throw new RangeError(`${shoreline.name} has no layer ${layer}: the coast kernel needs the shipped shores`);
    return 1 << index;
  };
  const neighbour = bitOf(NEIGHBOUR_LAYER);
  const layerBits = LAYER_BITS.map(([layer, bit]) => [bitOf(layer), bit] as const);
  const maskOf = (layers: number, isSuperseded: boolean): number => {
    if ((layers & neighbour) !== 0) return 0;
    let mask = 0;
    for (const [inShore, bit] of layerBits) {
      if ((layers & inShore) === 0) continue;
      if (!isSuperseded) mask |= bit;
      if (ownBitsShift > 0 && bit > 1) mask |= bit << ownBitsShift;
    }
    return mask;
  };
  const kinds: SegmentKind[] = [];
  const cache = new Map<number, number>();
  const kindOf = (vertex: number): number => {
    const [layers, number] = [shoreline.layers[vertex]!, classes[vertex]!];
    const key = layers * 256 + number;
    let kind = cache.get(key);
    if (kind === undefined) {
      const isSuperseded = number === SUPERSEDED_CLASS;
      const mask = maskOf(layers, isSuperseded);
      kind = mask === 0 ? 0 : kinds.push({ mask, number: isSuperseded ? 0 : number });
      cache.set(key, kind);
    }
    return kind;
  };
  return { positions: shoreline.positions, lineStarts: shoreline.lineStarts, kinds, kindOf, shoreline };
}
