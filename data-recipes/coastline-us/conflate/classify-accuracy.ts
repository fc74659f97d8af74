/**
 * The accuracy class of each segment, from the two shores alone. OSM's shore is worse where it is intricate and where GSHHG does
 * not have it, and it lacks more creeks where it lacks whole bays. GSHHG's shore is as good as its matched neighbours within 20 km.
 */
import { type Shoreline, SUPERSEDED_CLASS } from '@leeward/coast';
import { LocalNumbers } from './local-numbers.ts';
import { lengthMeters, matchShores, middleOf, segmentsOf } from './match-shores.ts';

/** In the order of the numbers in the file. */
export const ACCURACY_CLASSES = [
  'osm, plain',
  'osm, intricate',
  'osm, not in gshhg',
  'osm, near a bay that it lacks',
  'gshhg, within 75 m of osm nearby',
  'gshhg, within 150 m of osm nearby',
  'gshhg, farther from osm nearby',
  'great lakes',
] as const;
export type AccuracyClassName = (typeof ACCURACY_CLASSES)[number];

/** A cell of about 2 km, and of 8 km (one of 0.05° and its neighbours) and 20 km. */
const CELL: readonly [number, number] = [50, 0];
const BAY_CELLS: readonly [number, number] = [20, 1];
const RESIDUAL_CELLS: readonly [number, number] = [20, 3];
/** Mean length of a segment in a cell of intricate shore. */
const INTRICATE_METERS = 220;
/** Shares of the length of OSM's shore in a cell that GSHHG lacks. */
const INTRICATE_SHARE = 0.1;
const UNMATCHED_SHARE = 0.6;
/** Share of the length of GSHHG's shore within 8 km that OSM lacks. */
const BAY_SHARE = 0.1;

export interface SegmentClasses {
  readonly osm: Uint8Array;
  /** Superseded segments included. */
  readonly gshhg: Uint8Array;
  readonly superseded: Uint8Array;
}

export function classifyAccuracy(osm: Shoreline, gshhg: Shoreline): SegmentClasses {
  const ofGshhg = matchShores(gshhg, osm, 'tidal');
  const ofOsm = matchShores(osm, gshhg, 'tidal');
  const residuals = new LocalNumbers(...RESIDUAL_CELLS);
  const gshhgLengths = new LocalNumbers(...BAY_CELLS);
  const bayLengths = new LocalNumbers(...BAY_CELLS);
  for (const vertex of segmentsOf(gshhg, 'tidal')) {
    const middle = middleOf(gshhg, vertex);
    const length = lengthMeters(gshhg, vertex);
    gshhgLengths.add(middle, length);
    if (ofGshhg.superseded[vertex] === 0) bayLengths.add(middle, length);
    else if (ofGshhg.distances[vertex]! < Number.POSITIVE_INFINITY) residuals.add(middle, ofGshhg.distances[vertex]!);
  }
  const counts = new LocalNumbers(...CELL);
  const lengths = new LocalNumbers(...CELL);
  const unmatchedLengths = new LocalNumbers(...CELL);
  for (const vertex of segmentsOf(osm, 'tidal')) {
    const middle = middleOf(osm, vertex);
    const length = lengthMeters(osm, vertex);
    counts.add(middle, 1);
    lengths.add(middle, length);
    if (ofOsm.superseded[vertex] === 0) unmatchedLengths.add(middle, length);
  }

  const classOfOsm = (place: readonly [number, number]): AccuracyClassName => {
    if (bayLengths.sumNear(place) > BAY_SHARE * gshhgLengths.sumNear(place)) return 'osm, near a bay that it lacks';
    const length = lengths.sumNear(place);
    const unmatched = unmatchedLengths.sumNear(place) / length;
    if (unmatched > UNMATCHED_SHARE) return 'osm, not in gshhg';
    const isIntricate = unmatched > INTRICATE_SHARE || length / counts.sumNear(place) < INTRICATE_METERS;
    return isIntricate ? 'osm, intricate' : 'osm, plain';
  };
  const classOfGshhg = (place: readonly [number, number]): AccuracyClassName => {
    const residual = residuals.medianNear(place) ?? Number.POSITIVE_INFINITY;
    if (residual <= 75) return 'gshhg, within 75 m of osm nearby';
    return residual <= 150 ? 'gshhg, within 150 m of osm nearby' : 'gshhg, farther from osm nearby';
  };
  const classes = { osm: new Uint8Array(osm.layers.length), gshhg: new Uint8Array(gshhg.layers.length) };
  for (const vertex of segmentsOf(osm, 'tidal')) classes.osm[vertex] = numberOf(classOfOsm(middleOf(osm, vertex)));
  for (const vertex of segmentsOf(gshhg, 'great_lakes')) classes.gshhg[vertex] = numberOf('great lakes');
  for (const vertex of segmentsOf(gshhg, 'tidal')) {
    classes.gshhg[vertex] = numberOf(classOfGshhg(middleOf(gshhg, vertex)));
  }
  return { ...classes, superseded: ofGshhg.superseded };
}

/** Vertices without a segment continue the class before, so that runs are long. */
export function fileClasses({ osm, gshhg, superseded }: SegmentClasses, shores: { osm: Shoreline; gshhg: Shoreline }) {
  const gshhgClasses = gshhg.map((number, vertex) => (superseded[vertex] === 1 ? SUPERSEDED_CLASS : number));
  return { osm: continueRuns(osm, shores.osm), gshhg: continueRuns(gshhgClasses, shores.gshhg) };
}

function continueRuns(classes: Uint8Array, shore: Shoreline): Uint8Array {
  const isSegment = new Uint8Array(classes.length);
  for (const layer of ['tidal', 'great_lakes']) for (const vertex of segmentsOf(shore, layer)) isSegment[vertex] = 1;
  let previous = 0;
  return classes.map((number, vertex) => {
    if (isSegment[vertex] === 1) previous = number;
    return previous;
  });
}

function numberOf(name: AccuracyClassName): number {
  return ACCURACY_CLASSES.indexOf(name);
}
