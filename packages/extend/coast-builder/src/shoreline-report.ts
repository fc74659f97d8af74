import { type CoverageBox, geodesicBetween, type Shoreline } from '@leeward/coast';
import type { DroppedLine } from './clean-lines.ts';

/** Statistics, and what was dropped from each file. */
export interface ShorelineReport {
  readonly name: string;
  readonly lines: number;
  readonly closedLines: number;
  readonly vertices: number;
  readonly kilometers: number;
  readonly medianSegmentMeters: number;
  readonly maxSegmentMeters: number;
  readonly bounds: CoverageBox;
  readonly files: readonly {
    readonly name: string;
    readonly linesRead: number;
    readonly linesKept: number;
    readonly dropped: readonly DroppedLine[];
    /** Longer ones were dropped as closings. */
    readonly maxSegmentMeters: number | false;
  }[];
}

export function measureShoreline(shoreline: Shoreline, files: ShorelineReport['files']): ShorelineReport {
  const { positions, lineStarts } = shoreline;
  const lengths: number[] = [];
  const bounds = { west: 180, south: 90, east: -180, north: -90 };
  let closedLines = 0;
  for (let line = 1; line < lineStarts.length; line++) {
    const first = lineStarts[line - 1]!;
    const last = lineStarts[line]! - 1;
    if (
      last > first &&
      positions[first * 2] === positions[last * 2] &&
      positions[first * 2 + 1] === positions[last * 2 + 1]
    ) {
      closedLines++;
    }
    for (let vertex = first; vertex <= last; vertex++) {
      const longitude = positions[vertex * 2]!;
      const latitude = positions[vertex * 2 + 1]!;
      bounds.west = Math.min(bounds.west, longitude);
      bounds.east = Math.max(bounds.east, longitude);
      bounds.south = Math.min(bounds.south, latitude);
      bounds.north = Math.max(bounds.north, latitude);
      if (vertex === last) break;
      const next = (vertex + 1) * 2;
      lengths.push(geodesicBetween(latitude, longitude, positions[next + 1]!, positions[next]!).distanceMeters);
    }
  }
  lengths.sort((one, other) => one - other);
  return {
    name: shoreline.name,
    lines: lineStarts.length - 1,
    closedLines,
    vertices: positions.length / 2,
    kilometers: lengths.reduce((sum, length) => sum + length, 0) / 1000,
    medianSegmentMeters: lengths[lengths.length >> 1] ?? 0,
    maxSegmentMeters: lengths.at(-1) ?? 0,
    bounds,
    files,
  };
}

const REASONS: Readonly<Record<DroppedLine['reason'], string>> = {
  duplicate: 'repeated vertices',
  cut_at_180: 'segments along 180°',
  closing: 'closings (longer than is usual here)',
  too_short: 'lines of one vertex',
};

/**
 * Formats a report as lines of text.
 * @example
 * console.error(formatShorelineReport(report));
 */
export function formatShorelineReport(report: ShorelineReport): string {
  const { bounds } = report;
  const text = [
    `${report.name}: ${count(report.vertices)} vertices in ${count(report.lines)} lines (${count(report.closedLines)} closed), ${count(report.kilometers)} km`,
    `  segments: median ${meters(report.medianSegmentMeters)}, longest ${meters(report.maxSegmentMeters)}`,
    `  bounds: longitude ${bounds.west} … ${bounds.east}, latitude ${bounds.south} … ${bounds.north}`,
  ];
  for (const file of report.files) {
    text.push(
      `  ${file.name}: ${count(file.linesRead)} lines read, ${count(file.linesKept)} kept once cleaned and joined`,
    );
    for (const [reason, label] of Object.entries(REASONS)) {
      const dropped = file.dropped.filter((one) => one.reason === reason);
      if (dropped.length === 0) continue;
      const total = dropped.reduce((sum, one) => sum + one.meters, 0);
      const [first] = dropped.toSorted((one, other) => other.meters - one.meters);
      const where = total > 0 ? `, total ${meters(total)}, longest at ${first!.at[1]}, ${first!.at[0]}` : '';
      text.push(`    dropped: ${count(dropped.length)} ${label}${where}`);
    }
  }
  return text.join('\n');
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function meters(value: number): string {
  return value >= 10_000 ? `${count(value / 1000)} km` : `${count(value)} m`;
}
