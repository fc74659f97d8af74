import { metersBetween } from './plane.ts';
import { linkRadiusMeters, MAX_LINK_METERS } from './tidal-rules.ts';
import type { TideStation } from './tide-stations.ts';

export type Place = readonly [longitude: number, latitude: number];

/** A way of the tide that no source draws: straight between two known places, with a tolerance to either side for its bends. */
export interface StationLink {
  readonly from: Place;
  readonly to: Place;
  readonly radiusMeters: number;
}

const NEIGHBOURS = 12;

interface Edge {
  readonly meters: number;
  readonly one: number;
  /** Another station, or the number of stations for known water. */
  readonly other: number;
  readonly to: Place;
}

/** The short edges of the minimum spanning tree of stations, rooted in known water (`nearestKnown`). */
export function linkStations(
  stations: readonly TideStation[],
  nearestKnown: (station: TideStation) => Place | undefined,
  isMaze: (place: Place) => boolean,
): StationLink[] {
  const places = stations.map(({ longitude, latitude }): Place => [longitude, latitude]);
  const edges = stations.flatMap((station, one): Edge[] => {
    const here = places[one]!;
    const neighbours = places
      .map((to, other): Edge => ({ meters: metersBetween(...here, ...to), one, other, to }))
      .filter(({ other, meters }) => other !== one && meters <= MAX_LINK_METERS)
      .sort((a, b) => a.meters - b.meters)
      .slice(0, NEIGHBOURS);
    const to = nearestKnown(station);
    if (to === undefined) return neighbours;
    return [...neighbours, { meters: metersBetween(...here, ...to), one, other: stations.length, to }];
  });
  return spanning(edges, stations.length + 1)
    .filter(({ meters }) => meters <= MAX_LINK_METERS)
    .map(({ meters, one, to }) => {
      const from = places[one]!;
      return { from, to, radiusMeters: linkRadiusMeters(meters, isMaze(from)) };
    });
}

function spanning(edges: readonly Edge[], nodes: number): Edge[] {
  const parent = Array.from({ length: nodes }, (_, node) => node);
  const rootOf = (node: number): number => {
    let root = node;
    while (parent[root] !== root) root = parent[root]!;
    return root;
  };
  return edges
    .toSorted((a, b) => a.meters - b.meters || a.one - b.one || a.other - b.other)
    .filter(({ one, other }) => {
      const [a, b] = [rootOf(one), rootOf(other)];
      parent[a] = b;
      return a !== b;
    });
}
