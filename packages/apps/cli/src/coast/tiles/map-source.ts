import { readFileSync } from 'node:fs';
import { decodeConflation, decodeShoreline, openCoastData, type Shoreline, SUPERSEDED_CLASS } from '@leeward/coast';
import { type MapSource, shorelineOfIndex } from '@leeward/coast-builder/map';
import { coastlineUsFiles, conflationFile } from '@leeward/coastline-us';
import { SHIPPED_COASTLINE, SHIPPED_WITHOUT_OSM } from '../../settings/coastline-names.ts';
import type { Terminal } from '../../terminal.ts';
import { bytesOf } from '../open-coast.ts';

/** The layer of shores that only GSHHG has. */
const GSHHG_LAYER = 'gshhg_shore';
/** The shipped shorelines end 50 km beyond the border of Canada. The land continues north of Maine. */
const CANADA = [[-66.3, 52]];

/** A source with the attribution of each of its layers. */
export interface AttributedSource extends MapSource {
  readonly attributions: Readonly<Record<string, string>>;
}

/** The shipped coastline by name, or a file. */
export function mapSourceOf(name: string, terminal: Terminal): AttributedSource {
  if (name === SHIPPED_COASTLINE) return bothShipped();
  if (name === SHIPPED_WITHOUT_OSM) {
    return attributed({ shoreline: decodeShoreline(readFileSync(coastlineUsFiles.gshhg)), waypoints: CANADA });
  }
  return attributed({ shoreline: shorelineOfIndex(openCoastData(bytesOf(name, terminal), name)) });
}

function bothShipped(): AttributedSource {
  const [osm, gshhg] = [coastlineUsFiles.osm, coastlineUsFiles.gshhg].map((file) => readFileSync(file));
  const shoreline = decodeShoreline(osm!);
  const { check } = decodeConflation(readFileSync(conflationFile), { preferred: osm!, check: gshhg! });
  const other = decodeShoreline(gshhg!);
  const lines = linesLeft(other, check.classes);
  return attributed({ shoreline, waypoints: CANADA, lines: [{ layer: GSHHG_LAYER, lines }] }, other.attribution);
}

/** Segments that no better drawing supersedes, and that are in a layer. */
function linesLeft({ positions, lineStarts, layers }: Shoreline, classes: Uint8Array): [number, number][][] {
  const lines: [number, number][][] = [];
  for (let line = 1; line < lineStarts.length; line++) {
    let piece: [number, number][] = [];
    for (let vertex = lineStarts[line - 1]!; vertex < lineStarts[line]!; vertex++) {
      piece.push([positions[2 * vertex]!, positions[2 * vertex + 1]!]);
      if (classes[vertex] !== SUPERSEDED_CLASS && layers[vertex] !== 0 && vertex + 1 < lineStarts[line]!) continue;
      if (piece.length > 1) lines.push(piece);
      piece = [];
    }
  }
  return lines;
}

function attributed(source: MapSource, ofLines = ''): AttributedSource {
  const { attribution } = source.shoreline;
  return {
    ...source,
    attributions: { land: attribution, water: attribution, shore: attribution, [GSHHG_LAYER]: ofLines },
  };
}
