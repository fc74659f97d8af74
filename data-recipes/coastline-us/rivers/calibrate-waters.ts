import type { LineSet } from '../line-set.ts';
import { SegmentGrid } from '../segment-grid.ts';
import type { AskShore } from './known-shore.ts';
import { type Place, stretchesOf } from './link-stations.ts';
import { metersBetween } from './plane.ts';
import { countCells, type RiverNetwork } from './river-network.ts';
import { areaRadius, classOf, type TidalEvidence } from './tidal-evidence.ts';
import {
  AREA_RADII_METERS,
  LINK_PARTS_METERS,
  LINK_RADIUS_METERS,
  MAX_RIVER_PROBABILITY,
  POSSIBLE_CLASSES,
} from './tidal-rules.ts';
import { isMissed, type TideStation } from './tide-stations.ts';

/** Probabilities of water within the radius, in the order of `POSSIBLE_CLASSES`, `LINK_PARTS_METERS` and `AREA_RADII_METERS`. */
export interface WaterProbabilities {
  readonly rivers: readonly number[];
  readonly links: readonly number[];
  readonly areas: readonly number[];
}

export interface Calibration extends WaterProbabilities {
  /** Stations per thousand cells of 0.0025°. */
  readonly shoreRate: number;
  readonly riverRates: readonly number[];
  readonly riverGauges: readonly number[];
  readonly linkStretches: readonly number[];
}

/** Evidence from all stations outside of a state. */
export type HeldOut = ReadonlyMap<string, TidalEvidence>;

/** Two gauges this close are at one place. */
const SAME_PLACE_METERS = 300;

/** Alaska's shore is long, and has few stations. */
const MAX_LATITUDE = 50;

/**
 * Gauges are at tidal water only. Their number per cell of river, compared with their number per cell
 * of drawn shore, estimates the share of cells with tide: each state's gauges are counted by evidence from the other states. Rivers have
 * fewer gauges than harbors, so the estimate is low. A link is calibrated on gauges with a drawn river: the share of stretches
 * of their links, drawn as if the river were unknown, that are within the radius of the river. An area is calibrated on all gauges
 * beyond the shores: the share with another one in their area.
 */
export function calibrateWaters(
  network: RiverNetwork,
  stations: readonly TideStation[],
  heldOut: HeldOut,
  evidence: TidalEvidence,
  drawnShore: LineSet & { readonly isTidal: (vertex: number) => boolean },
  shore: AskShore,
  plainShore: AskShore,
): Calibration {
  const { rivers } = network;
  const counted = stations.filter(({ kind, latitude }) => kind !== 'noaa_current' && latitude < MAX_LATITUDE);
  const isSouth = (lines: LineSet, vertex: number): boolean => lines.positions[2 * vertex + 1]! < MAX_LATITUDE;
  const shoreCells = countCells(drawnShore, (vertex) => drawnShore.isTidal(vertex) && isSouth(drawnShore, vertex));
  const shoreRate = counted.filter((station) => !isMissed(station)).length / shoreCells;
  const ownClass = (vertex: number): number =>
    Math.min(...network.nodesOf(vertex).map((node) => classOf(network.paths.costs[node]!)));
  const riverGauges = POSSIBLE_CLASSES.map(() => 0);
  for (const gauge of counted.filter(isMissed)) {
    const vertex = network.segmentNear(gauge.longitude, gauge.latitude);
    const gaugeClass = vertex === undefined ? undefined : heldOut.get(gauge.state)?.classes[vertex];
    if (gaugeClass !== undefined && gaugeClass < riverGauges.length) riverGauges[gaugeClass]!++;
  }
  const riverRates = riverGauges.map((gauges, index) => {
    const cells = countCells(rivers, (vertex) => isSouth(rivers, vertex) && ownClass(vertex) === index);
    return gauges / cells;
  });
  const links = linkShares(rivers, evidence, shore, plainShore);
  return {
    rivers: riverRates.map((rate) => round(Math.min(MAX_RIVER_PROBABILITY, rate / shoreRate), 2)),
    links: links.map(({ hits, stretches }) => (stretches === 0 ? 0 : round(hits / stretches, 2))),
    areas: areaShares(stations.filter(isMissed)),
    shoreRate: round(1_000 * shoreRate, 2),
    riverRates: riverRates.map((rate) => round(1_000 * rate, 2)),
    riverGauges,
    linkStretches: links.map(({ stretches }) => stretches),
  };
}

function areaShares(gauges: readonly TideStation[]): number[] {
  return AREA_RADII_METERS.map((radiusMeters, radius) => {
    const far = gauges.filter((gauge) => areaRadius(gauge) >= radius);
    const accompanied = far.filter(({ longitude, latitude }) =>
      gauges.some((other) => {
        if (Math.abs(other.latitude - latitude) > 0.05) return false;
        const meters = metersBetween(longitude, latitude, other.longitude, other.latitude);
        return meters > SAME_PLACE_METERS && meters <= radiusMeters;
      }),
    );
    return far.length === 0 ? 0 : round(accompanied.length / far.length, 2);
  });
}

function linkShares(
  rivers: LineSet,
  { confirmed, gauges }: TidalEvidence,
  shore: AskShore,
  plainShore: AskShore,
): readonly { readonly hits: number; readonly stretches: number }[] {
  const tidal = new SegmentGrid(rivers, 0.02, (vertex) => confirmed[vertex] === 1);
  const metersToShore = ([longitude, latitude]: Place): number => shore(longitude, latitude)?.distanceMeters ?? 0;
  const parts = LINK_PARTS_METERS.map(() => ({ hits: 0, stretches: 0 }));
  for (const { longitude, latitude } of gauges) {
    const end = plainShore(longitude, latitude)?.shore;
    if (end === undefined || tidal.nearest(longitude, latitude, LINK_RADIUS_METERS).vertex < 0) continue;
    for (const { from, to, part } of stretchesOf([longitude, latitude], [end.longitude, end.latitude], metersToShore)) {
      const isHit = tidal.nearest((from[0] + to[0]) / 2, (from[1] + to[1]) / 2, LINK_RADIUS_METERS).vertex >= 0;
      parts[part]!.stretches++;
      parts[part]!.hits += Number(isHit);
    }
  }
  return parts;
}

function round(number: number, digits: number): number {
  return Number(number.toFixed(digits));
}
