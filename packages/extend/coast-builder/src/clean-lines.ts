import { geodesicBetween } from '@leeward/coast';
import type { Position } from 'geojson';
import type { RawLine } from './raw-lines.ts';

/** Such a segment at 180° is the edge of a map, not a shore. */
const CUT_DEGREES = 1e-5;
/** Times the median length; such a segment, longer than `MIN_CLOSING_METERS`, closes an inlet or a gap. */
const CLOSING_RATIO = 50;
const MIN_CLOSING_METERS = 2000;

/** Options for cleaning lines. */
export interface CleanOptions {
  /**
   * Longer segments are dropped as closings of inlets or gaps; `false` keeps all. @default 50 times the median length, but at least 2 km
   */
  readonly maxSegmentMeters?: number | false;
}

/** A dropped vertex, segment or line. */
export interface DroppedLine {
  readonly reason: 'duplicate' | 'cut_at_180' | 'closing' | 'too_short';
  readonly meters: number;
  /** Its first position. */
  readonly at: Position;
}

export interface CleanedLines {
  readonly lines: RawLine[];
  readonly dropped: DroppedLine[];
  readonly maxSegmentMeters: number | false;
}

/**
 * Wraps longitudes into [-180, 180]; drops repeated vertices, segments along 180°, closings, then lines of a single vertex. A split
 * ring's last part continues into its first.
 */
export function cleanLines(sources: readonly RawLine[], options: CleanOptions = {}): CleanedLines {
  const dropped: DroppedLine[] = [];
  const distinct = sources.map((line) => ({ ...line, positions: withoutRepeats(line.positions, dropped) }));
  const maxMeters = options.maxSegmentMeters ?? usualClosing(distinct);
  const lines: RawLine[] = [];
  for (const line of distinct) {
    const parts = split(line.positions, maxMeters, dropped);
    for (const positions of parts) {
      if (positions.length > 1) lines.push({ positions, water: line.water });
      else if (positions[0] !== undefined && parts.length === 1) {
        dropped.push({ reason: 'too_short', meters: 0, at: positions[0] });
      }
    }
  }
  return { lines, dropped, maxSegmentMeters: maxMeters };
}

function withoutRepeats(positions: readonly Position[], dropped: DroppedLine[]): Position[] {
  const distinct: Position[] = [];
  for (const position of positions) {
    const longitude = wrapLongitude(position[0]!);
    // A national shore has millions of positions; most need no copy.
    const isUnchanged = longitude === position[0] && position.length === 2;
    const here: Position = isUnchanged ? position : [longitude, position[1]!];
    const last = distinct[distinct.length - 1];
    if (last !== undefined && last[0] === here[0] && last[1] === here[1]) {
      dropped.push({ reason: 'duplicate', meters: 0, at: here });
    } else distinct.push(here);
  }
  return distinct;
}

/** From ±540 into [-180, 180]; 180 and -180 do not change. */
function wrapLongitude(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}

function usualClosing(lines: readonly RawLine[]): number {
  const lengths = lines.flatMap(({ positions }) =>
    positions.slice(1).map((position, index) => segmentMeters(positions[index]!, position)),
  );
  lengths.sort((one, other) => one - other);
  return Math.max(MIN_CLOSING_METERS, CLOSING_RATIO * (lengths[lengths.length >> 1] ?? 0));
}

function segmentMeters(from: Position, to: Position): number {
  return geodesicBetween(from[1]!, from[0]!, to[1]!, to[0]!).distanceMeters;
}

function split(positions: readonly Position[], maxMeters: number | false, dropped: DroppedLine[]): Position[][] {
  const first = positions[0];
  if (first === undefined) return [];
  let part: Position[] = [first];
  const parts: Position[][] = [part];
  for (let index = 1; index < positions.length; index++) {
    const from = positions[index - 1]!;
    const to = positions[index]!;
    const reason = reasonToDrop(from, to, maxMeters);
    if (reason === undefined) part.push(to);
    else {
      dropped.push({ reason, meters: segmentMeters(from, to), at: from });
      part = [to];
      parts.push(part);
    }
  }
  const last = parts.at(-1)!;
  const end = last.at(-1)!;
  if (parts.length > 1 && end[0] === first[0] && end[1] === first[1]) {
    parts[0] = [...last, ...parts[0]!.slice(1)];
    parts.pop();
  }
  return parts;
}

function reasonToDrop(from: Position, to: Position, maxMeters: number | false): 'cut_at_180' | 'closing' | undefined {
  if (isOnCut(from) && isOnCut(to)) return 'cut_at_180';
  return maxMeters !== false && segmentMeters(from, to) > maxMeters ? 'closing' : undefined;
}

function isOnCut(position: Position): boolean {
  return Math.abs(position[0]!) >= 180 - CUT_DEGREES;
}
