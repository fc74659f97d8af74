import { readFileSync } from 'node:fs';
import { decodeConflation, decodeShoreline, type Shoreline, SUPERSEDED_CLASS } from '@leeward/coast';
import { coastlineUsFiles, conflationFile, tidalWaterFiles } from '@leeward/coastline-us';
import { type CellGrid, type CellList, cellAt, type ShoreCell, scales } from '../map/map-cell.ts';
import { groundAttribution, groundCells } from './ground-cells.ts';
import { LineCells } from './line-cells.ts';

/** The files of the map: cells of shores and counties, and `map-cells.json`, which lists them. */
export async function mapCells(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const list: Record<string, string[]> = {};
  const add = (grid: CellGrid, cells: ReadonlyMap<string, unknown>) => {
    list[grid.group] = [...cells.keys()].sort();
    for (const [name, cell] of cells) files.set(`${grid.group}-${name}.json`, JSON.stringify(cell));
  };
  const { osm, gshhg, river, superseded } = readShores();
  const isByShore = nearOf(gshhg);
  for (const { grids } of scales) {
    const { 'shore-osm': osmGrid, 'shore-gshhg': gshhgGrid, ground } = grids;
    if (osmGrid) {
      const cells = shoreCells(osmGrid);
      addShore(cells, osm);
      addLines(cells, river, () => 'rivers');
      add(osmGrid, cells.cells);
    }
    // Two scales share a grid.
    if (!(gshhgGrid.group in list)) {
      const cells = shoreCells(gshhgGrid);
      // OSM is the better drawing: GSHHG adds what OSM lacks, as lines without ends.
      addShore(cells, gshhg, (vertex) => osmGrid !== undefined && superseded[vertex] === SUPERSEDED_CLASS);
      add(gshhgGrid, cells.cells);
    }
    if (!(ground.group in list)) add(ground, await groundCells(ground, isByShore));
  }
  const attributions = { 'shore-osm': osm.attribution, 'shore-gshhg': gshhg.attribution, ground: groundAttribution };
  return files.set('map-cells.json', JSON.stringify({ cells: list, attributions } satisfies CellList));
}

/** About 25 km around a shore. */
function nearOf({ positions }: Shoreline): (longitude: number, latitude: number) => boolean {
  const cell = (longitude: number, latitude: number) => cellAt(0.25, longitude, latitude);
  const cells = new Set<string>();
  for (let at = 0; at < positions.length; at += 2) cells.add(cell(positions[at]!, positions[at + 1]!));
  return (longitude, latitude) => cells.has(cell(longitude, latitude));
}

function readShores() {
  const bytes = { osm: readFileSync(coastlineUsFiles.osm), gshhg: readFileSync(coastlineUsFiles.gshhg) };
  const conflation = decodeConflation(readFileSync(conflationFile), { preferred: bytes.osm, check: bytes.gshhg });
  return {
    osm: decodeShoreline(bytes.osm),
    gshhg: decodeShoreline(bytes.gshhg),
    river: decodeShoreline(readFileSync(tidalWaterFiles.tidalRivers)),
    superseded: conflation.check.classes,
  };
}

const shoreCells = (grid: CellGrid) =>
  new LineCells<keyof ShoreCell>(grid, ['counted', 'others', 'closings', 'rivers']);

function addShore(
  cells: ReturnType<typeof shoreCells>,
  shoreline: Shoreline,
  isSkipped: (vertex: number) => boolean = () => false,
): void {
  const { layers, layerNames } = shoreline;
  const bit = (layer: string) => (layerNames.includes(layer) ? 1 << layerNames.indexOf(layer) : 0);
  const [tidal, neighbour] = [bit('tidal'), bit('neighbour')];
  addLines(cells, shoreline, (vertex) => {
    const layer = layers[vertex]!;
    if (isSkipped(vertex)) return undefined;
    if (layer === 0) return 'closings';
    return (layer & tidal) !== 0 && (layer & neighbour) === 0 ? 'counted' : 'others';
  });
}

function addLines(
  cells: ReturnType<typeof shoreCells>,
  { positions, lineStarts }: Shoreline,
  partOf: (vertex: number) => keyof ShoreCell | undefined,
): void {
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    const first = lineStarts[line]!;
    const points = Array.from(
      { length: lineStarts[line + 1]! - first },
      (_, at) => [positions[2 * (first + at)]!, positions[2 * (first + at) + 1]!] as const,
    );
    cells.add(points, (point) => partOf(first + point));
  }
}
