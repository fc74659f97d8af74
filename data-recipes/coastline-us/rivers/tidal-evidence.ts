import { SegmentGrid } from '../segment-grid.ts';
import type { AskShore } from './known-shore.ts';
import { linkStations, type Place, type StationLink } from './link-stations.ts';
import { metersBetween } from './plane.ts';
import { eachSegment, type RiverNetwork } from './river-network.ts';
import { shortestPaths } from './shortest-paths.ts';
import { MAX_LINK_METERS, MAZE_GAUGES, MAZE_METERS, POSSIBLE_NETWORK_METERS } from './tidal-rules.ts';
import { isBeyond, isMissed, type TideStation } from './tide-stations.ts';

/** Evidence of stations and rivers for the tide beyond the shores. */
export interface TidalEvidence {
  /** Per vertex: its segment is on the way from a gauge to the shore. */
  readonly confirmed: Uint8Array;
  /** Within reach of the shore or of a confirmed segment. */
  readonly possible: Uint8Array;
  /** On the land side, beyond the water known to the shores. */
  readonly gauges: readonly TideStation[];
  readonly links: readonly StationLink[];
}

/** A station this near is on a confirmed river. */
const ON_RIVER_METERS = 300;

/**
 * Follows the rivers from each gauge unknown to the shores down to the shore, marks segments within reach of either, and links gauges
 * without such a river. @param plainShore has the shore at which links may end. @param share The part of all stations that these are, if
 * some are held out.
 */
export function gatherEvidence(
  network: RiverNetwork,
  stations: readonly TideStation[],
  plainShore: AskShore,
  share = 1,
): TidalEvidence {
  const { rivers, graph, entries } = network;
  const gauges = stations.filter(isMissed);
  const confirmedNodes = wayDown(network, gauges);
  const starts = [...entries, ...[...confirmedNodes].map((node) => ({ node, cost: 0 }))];
  const within = shortestPaths(graph, starts, POSSIBLE_NETWORK_METERS);
  const vertices = rivers.positions.length / 2;
  const confirmed = new Uint8Array(vertices);
  const possible = new Uint8Array(vertices);
  eachSegment(rivers, (vertex) => {
    for (const node of network.nodesOf(vertex)) {
      if (confirmedNodes.has(node)) confirmed[vertex] = 1;
      if (within.costs[node]! <= POSSIBLE_NETWORK_METERS) possible[vertex] = 1;
    }
  });
  const tidal = new SegmentGrid(rivers, 0.02, (vertex) => confirmed[vertex] === 1);
  const alone = gauges.filter(
    (gauge) => isBeyond(gauge) && tidal.nearest(gauge.longitude, gauge.latitude, ON_RIVER_METERS).vertex < 0,
  );
  const known = stations.filter((station) => !isMissed(station));
  const nearestKnown = (station: TideStation): Place | undefined => {
    const { longitude, latitude } = station;
    const { vertex } = tidal.nearest(longitude, latitude, MAX_LINK_METERS);
    const shore = plainShore(longitude, latitude)?.shore;
    const places: Place[] = [
      ...(vertex < 0 ? [] : [[rivers.positions[2 * vertex]!, rivers.positions[2 * vertex + 1]!] as const]),
      ...(shore === undefined ? [] : [[shore.longitude, shore.latitude] as const]),
      ...known
        .filter((other) => Math.abs(other.latitude - latitude) < 0.2)
        .map((other) => [other.longitude, other.latitude] as const),
    ];
    const away = (place: Place): number => metersBetween(longitude, latitude, ...place);
    return places.reduce<Place | undefined>(
      (best, place) => (best === undefined || away(place) < away(best) ? place : best),
      undefined,
    );
  };
  const beyond = gauges.filter(isBeyond);
  const isMaze = (place: Place): boolean =>
    beyond.filter(({ longitude, latitude }) => metersBetween(longitude, latitude, ...place) < MAZE_METERS).length >=
    MAZE_GAUGES * share;
  return { confirmed, possible, gauges, links: linkStations(alone, nearestKnown, isMaze) };
}

function wayDown({ graph, entries, nodesNear }: RiverNetwork, gauges: readonly TideStation[]): Set<number> {
  const { costs, before } = shortestPaths(graph, entries);
  const nodes = new Set<number>();
  for (const { longitude, latitude } of gauges) {
    const reached = nodesNear(longitude, latitude).find((node) => costs[node]! < Number.POSITIVE_INFINITY);
    for (let node = reached ?? -1; node >= 0 && !nodes.has(node); node = before[node]!) nodes.add(node);
  }
  return nodes;
}
