import { geodesicBetween } from '@leeward/coast';
import type { Position } from 'geojson';
import type { RawLine } from './raw-lines.ts';

/** Ends of a segment so near 180° lie on the cut of a map, not on a shore. */
const CUT_DEGREES = 1e-5;
/** A segment this many times as long as the usual one, and longer than two kilometres, closes an inlet or a gap. */
const CLOSING_RATIO = 50;
const MIN_CLOSING_METERS = 2000;

/** How lines are mended; lengths in meters. */
export interface CleanOptions {
  /**
   * Segments longer than this are taken for closings (over inlets, of gaps) and dropped. By default 50 times the median length,
   * but no less than 2 km; `false` keeps all.
   */
  readonly longestSegmentMeters?: number | false;
}

/** Something that was left out. */
export interface DroppedLine {
  readonly reason: 'duplicate' | 'cut_at_180' | 'closing' | 'too_short';
  readonly meters: number;
  /** Where: the first position of what was dropped. */
  readonly at: Position;
}

export interface CleanedLines {
  readonly lines: RawLine[];
  readonly dropped: DroppedLine[];
  readonly longestSegmentMeters: number | false;
}

/**
 * Brings longitudes into [-180, 180], drops vertices that repeat the one before, segments along 180° and closings, and what is
 * then left of lines with a single vertex. A closed line that is broken goes on from its end to its beginning.
 */
export function cleanLines(given: readonly RawLine[], options: CleanOptions = {}): CleanedLines {
  const dropped: DroppedLine[] = [];
  const distinct = given.map((line) => ({ ...line, positions: withoutRepeats(line.positions, dropped) }));
  const longest = options.longestSegmentMeters ?? usualClosing(distinct);
  const lines: RawLine[] = [];
  for (const line of distinct) {
    const parts = split(line.positions, longest, dropped);
    for (const positions of parts) {
      if (positions.length > 1) lines.push({ positions, water: line.water });
      else if (positions[0] !== undefined && parts.length === 1) {
        dropped.push({ reason: 'too_short', meters: 0, at: positions[0] });
      }
    }
  }
  return { lines, dropped, longestSegmentMeters: longest };
}

function withoutRepeats(positions: readonly Position[], dropped: DroppedLine[]): Position[] {
  const kept: Position[] = [];
  for (const position of positions) {
    const longitude = wrapLongitude(position[0]!);
    // Most stay as they are: a copy of each would be millions of a national shore.
    const isKept = longitude === position[0] && position.length === 2;
    const here: Position = isKept ? position : [longitude, position[1]!];
    const last = kept[kept.length - 1];
    if (last !== undefined && last[0] === here[0] && last[1] === here[1]) {
      dropped.push({ reason: 'duplicate', meters: 0, at: here });
    } else kept.push(here);
  }
  return kept;
}

/** Longitudes up to a turn and a half off, brought into [-180, 180]; 180 and -180 stay what they are. */
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

function split(positions: readonly Position[], longest: number | false, dropped: DroppedLine[]): Position[][] {
  const first = positions[0];
  if (first === undefined) return [];
  let part: Position[] = [first];
  const parts: Position[][] = [part];
  for (let index = 1; index < positions.length; index++) {
    const from = positions[index - 1]!;
    const to = positions[index]!;
    const reason = reasonToDrop(from, to, longest);
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

function reasonToDrop(from: Position, to: Position, longest: number | false): 'cut_at_180' | 'closing' | undefined {
  if (isOnCut(from) && isOnCut(to)) return 'cut_at_180';
  return longest !== false && segmentMeters(from, to) > longest ? 'closing' : undefined;
}

function isOnCut(position: Position): boolean {
  return Math.abs(position[0]!) >= 180 - CUT_DEGREES;
}
