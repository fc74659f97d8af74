import type { LineSet } from '../line-set.ts';
import { SegmentGrid } from '../segment-grid.ts';
import type { AskShore } from './known-shore.ts';
import { type LinkStretch, linkStations, type Place } from './link-stations.ts';
import { metersBetween } from './plane.ts';
import { eachSegment, type RiverNetwork } from './river-network.ts';
import { shortestPaths } from './shortest-paths.ts';
import {
  AREA_RADII_METERS,
  AREA_SHARE,
  MAX_LINK_METERS,
  POSSIBLE_CLASSES,
  POSSIBLE_NETWORK_METERS,
} from './tidal-rules.ts';
import { isMissed, type TideStation } from './tide-stations.ts';

/** Evidence of stations and rivers for the tide beyond the shores. */
export interface TidalEvidence {
  /** Per vertex: its segment is on the way from a gauge to the shore. */
  readonly confirmed: Uint8Array;
  /** Per vertex: index in `POSSIBLE_CLASSES`, or `NOT_POSSIBLE`. */
  readonly classes: Uint8Array;
  /** On the land side, beyond the water known to the shores. */
  readonly gauges: readonly TideStation[];
  readonly links: readonly LinkStretch[];
  readonly areas: readonly GaugeArea[];
}

/** Surroundings of a gauge on no drawn river. */
export interface GaugeArea {
  readonly place: Place;
  /** Index in `AREA_RADII_METERS`. */
  readonly radius: number;
}

export const NOT_POSSIBLE = 255;

/** A station this near is on a confirmed river. */
const ON_RIVER_METERS = 300;

/**
 * Follows the rivers from each gauge unknown to the shores down to the shore, and links gauges without such a river.
 * @param plainShore has the shore toward which links run: no coordinate of GSHHG's file gets into theirs.
 */
export function gatherEvidence(
  network: RiverNetwork,
  stations: readonly TideStation[],
  shore: AskShore,
  plainShore: AskShore,
): TidalEvidence {
  const { rivers, graph, entries } = network;
  const gauges = stations.filter(isMissed);
  const confirmedNodes = wayDown(network, gauges);
  const starts = [...entries, ...[...confirmedNodes].map((node) => ({ node, cost: 0 }))];
  const within = shortestPaths(graph, starts, POSSIBLE_NETWORK_METERS);
  const vertices = rivers.positions.length / 2;
  const confirmed = new Uint8Array(vertices);
  const classes = new Uint8Array(vertices).fill(NOT_POSSIBLE);
  eachSegment(rivers, (vertex) => {
    for (const node of network.nodesOf(vertex)) {
      if (confirmedNodes.has(node)) confirmed[vertex] = 1;
      classes[vertex] = Math.min(classes[vertex]!, classOf(within.costs[node]!));
    }
  });
  const nearestTidal = nearestConfirmed(rivers, confirmed);
  const isAlone = (gauge: TideStation): boolean => nearestTidal(gauge, ON_RIVER_METERS) === undefined;
  const metersToShore = ([longitude, latitude]: Place): number => shore(longitude, latitude)?.distanceMeters ?? 0;
  const nearestKnown = nearestKnownWater(nearestTidal, plainShore);
  const alone = gauges.filter(isAlone);
  return {
    confirmed,
    classes,
    gauges,
    links: linkStations(alone, nearestKnown, metersToShore),
    areas: alone.flatMap((gauge) => {
      const radius = areaRadius(gauge);
      return radius < 0 ? [] : [{ place: [gauge.longitude, gauge.latitude], radius }];
    }),
  };
}

/** @returns the index in `AREA_RADII_METERS`, or −1 close to a shore. */
export function areaRadius({ known }: TideStation): number {
  return AREA_RADII_METERS.findLastIndex((radius) => radius <= AREA_SHARE * known.distanceMeters);
}

/** @returns the index in `POSSIBLE_CLASSES`, or `NOT_POSSIBLE`. */
export function classOf(cost: number): number {
  const found = POSSIBLE_CLASSES.findIndex(({ networkMeters }) => cost <= networkMeters);
  return found < 0 ? NOT_POSSIBLE : found;
}

export type NearestTidal = (station: TideStation, reachMeters: number) => Place | undefined;

function nearestConfirmed(rivers: LineSet, confirmed: Uint8Array): NearestTidal {
  const grid = new SegmentGrid(rivers, 0.02, (vertex) => confirmed[vertex] === 1);
  return ({ longitude, latitude }, reachMeters) => {
    const { vertex } = grid.nearest(longitude, latitude, reachMeters);
    return vertex < 0 ? undefined : [rivers.positions[2 * vertex]!, rivers.positions[2 * vertex + 1]!];
  };
}

function nearestKnownWater(
  nearestTidal: NearestTidal,
  plainShore: AskShore,
): (station: TideStation) => Place | undefined {
  return (station) => {
    const { longitude, latitude } = station;
    const shore = plainShore(longitude, latitude)?.shore;
    const river = nearestTidal(station, MAX_LINK_METERS);
    if (shore === undefined) return river;
    const atShore: Place = [shore.longitude, shore.latitude];
    if (river === undefined) return atShore;
    const away = (place: Place): number => metersBetween(longitude, latitude, ...place);
    return away(river) < away(atShore) ? river : atShore;
  };
}

function wayDown({ paths: { costs, before }, nodesNear }: RiverNetwork, gauges: readonly TideStation[]): Set<number> {
  const nodes = new Set<number>();
  for (const { longitude, latitude } of gauges) {
    const reached = nodesNear(longitude, latitude).find((node) => costs[node]! < Number.POSITIVE_INFINITY);
    for (let node = reached ?? -1; node >= 0 && !nodes.has(node); node = before[node]!) nodes.add(node);
  }
  return nodes;
}
