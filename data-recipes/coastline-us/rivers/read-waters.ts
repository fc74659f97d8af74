import { readAtlas } from '../atlas.ts';
import { type LineSet, LineSetBuilder } from '../line-set.ts';
import { americanVertices } from '../owners.ts';
import { readOsmGeoJson } from '../read-osm-geojson.ts';
import type { AskShore } from './known-shore.ts';
import { FORMER_COAST_METERS } from './tidal-rules.ts';

/**
 * American waters of OSM in 2017, for the network of rivers: river areas (the water on their left), and lines of the coast that
 * today's coast lacks. OSM's mappers move the coast to the mouth of a creek when they draw the creek as an area.
 * @param plainShore OSM's shore alone.
 */
export function readWaters(riversPath: string, coastlinesPath: string, plainShore: AskShore): LineSet {
  const { unitedStates, others } = readAtlas();
  const waters = new LineSetBuilder();
  for (const lines of [
    readOsmGeoJson(riversPath, inBoxes),
    formerCoast(readOsmGeoJson(coastlinesPath, inBoxes), plainShore),
  ]) {
    const american = americanVertices(lines, unitedStates, others);
    const { positions, lineStarts } = lines;
    for (let line = 0; line + 1 < lineStarts.length; line++) {
      if (!american.subarray(lineStarts[line]!, lineStarts[line + 1]!).includes(1)) continue;
      for (let vertex = lineStarts[line]!; vertex < lineStarts[line + 1]!; vertex++) {
        waters.addVertex(positions[2 * vertex]!, positions[2 * vertex + 1]!);
      }
      waters.endLine();
    }
  }
  return waters.finish();
}

/** Segments on today's land, away from its shore. */
function formerCoast({ positions, lineStarts }: LineSet, plainShore: AskShore): LineSet {
  const former = new LineSetBuilder();
  const isFormer = (vertex: number): boolean => {
    const longitude = (positions[2 * vertex]! + positions[2 * vertex + 2]!) / 2;
    const latitude = (positions[2 * vertex + 1]! + positions[2 * vertex + 3]!) / 2;
    const known = plainShore(longitude, latitude);
    return known !== undefined && known.side === 'land' && known.distanceMeters > FORMER_COAST_METERS;
  };
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const last = lineStarts[line + 1]! - 1;
    for (let vertex = lineStarts[line]!; vertex <= last; vertex++) {
      former.addVertex(positions[2 * vertex]!, positions[2 * vertex + 1]!);
      if (vertex < last && isFormer(vertex)) continue;
      former.endLine();
    }
  }
  return former.finish();
}

function inBoxes(longitude: number, latitude: number): boolean {
  return (
    (longitude <= -60 && latitude >= 15 && latitude <= 72) || (longitude >= 140 && latitude >= 10 && latitude <= 60)
  );
}
