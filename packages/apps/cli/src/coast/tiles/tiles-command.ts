import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createMapTiles, type MapTile, type MapTiles, packPmtiles } from '@leeward/coast-builder/map';
import type { Command } from 'commander';
import { CommandError } from '../../command-error.ts';
import { formatCount } from '../../format-count.ts';
import { SHIPPED_COASTLINE } from '../../settings/coastline-names.ts';
import type { Terminal } from '../../terminal.ts';
import { boxOf } from '../coverage-box.ts';
import { orSay } from '../open-coast.ts';
import { type AttributedSource, mapSourceOf } from './map-source.ts';

interface TilesOptions {
  readonly out: string;
  readonly bbox?: string;
  readonly maxZoom: string;
  readonly url?: string;
}

/** `leeward coast tiles`: the shore as vector tiles, for a map. */
export function coastTilesCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('tiles')
    .description('Write the land and water of a coastline as vector tiles (Mapbox Vector Tile) for a map.')
    .argument('[file]', 'a file of coast build, or us or us:gshhg for the shipped coastline', SHIPPED_COASTLINE)
    .requiredOption(
      '--out <path>',
      'one archive, if it ends in .pmtiles; else a folder with tiles.json and {z}/{x}/{y}.pbf',
    )
    .option('--bbox <box>', 'only this area: west,south,east,north in degrees (default: all of the coastline)')
    .option('--max-zoom <zoom>', 'highest zoom level, 0 to 14; maps enlarge it beyond', '10')
    .option('--url <template>', 'address of the tiles for tiles.json of a folder (default {z}/{x}/{y}.pbf)')
    .action((file: string, options: TilesOptions) => orSay(async () => writeTiles(file, options, terminal)));
}

interface ZoomTotals {
  tiles: number;
  bytes: number;
  largest: number;
}

function writeTiles(file: string, options: TilesOptions, terminal: Terminal): void {
  const maxZoom = options.maxZoom.trim() === '' ? Number.NaN : Number(options.maxZoom);
  if (!Number.isInteger(maxZoom) || maxZoom < 0 || maxZoom > 14) {
    throw new CommandError(`--max-zoom is ${JSON.stringify(options.maxZoom)}; give a whole number from 0 to 14.`);
  }
  const box = options.bbox === undefined ? undefined : boxOf(options.bbox, '--bbox');
  const source = mapSourceOf(file, terminal);
  const map = createMapTiles(source, { maxZoom, ...(box && { box }) });
  const { count, maxDegrees } = map.gaps;
  if (count > 0) {
    terminal.writeError(
      `The lines have ${formatCount(count)} gaps, up to ${Math.round(maxDegrees * 111)} km; the land continues straight across.\n`,
    );
  }
  const out = resolve(terminal.folder, options.out);
  const totals = Array.from({ length: maxZoom + 1 }, (): ZoomTotals => ({ tiles: 0, bytes: 0, largest: 0 }));
  const tileJson = tileJsonOf(map, source, options.url ?? '{z}/{x}/{y}.pbf');
  let written = 0;
  if (/\.pmtiles$/i.test(options.out)) {
    const { tiles: _, ...metadata } = tileJson;
    const archive = packPmtiles(counted(map, totals), { maxZoom, bounds: map.bounds, metadata });
    checkTiles(totals, file);
    write(out, archive);
    written = archive.length;
  } else {
    for (const { z, x, y, bytes } of counted(map, totals)) {
      write(join(out, String(z), String(x), `${y}.pbf`), bytes);
      written += bytes.length;
    }
    checkTiles(totals, file);
    write(join(out, 'tiles.json'), `${JSON.stringify(tileJson, null, 2)}\n`);
  }
  totals.forEach(({ tiles, bytes, largest }, zoom) => {
    terminal.write(
      `zoom ${String(zoom).padStart(2)}: ${formatCount(tiles)} tiles, ${formatCount(bytes)} bytes, the largest ${formatCount(largest)}\n`,
    );
  });
  terminal.write(
    `${options.out}: ${formatCount(countOf(totals))} tiles, ${formatCount(written)} bytes; layers ${map.layers.join(', ')}\n${tileJson.attribution}\n`,
  );
}

function* counted(map: MapTiles, totals: readonly ZoomTotals[]): Generator<MapTile> {
  for (const tile of map.tiles()) {
    const total = totals[tile.z]!;
    total.tiles++;
    total.bytes += tile.bytes.length;
    total.largest = Math.max(total.largest, tile.bytes.length);
    yield tile;
  }
}

function countOf(totals: readonly ZoomTotals[]): number {
  return totals.reduce((sum, { tiles }) => sum + tiles, 0);
}

function checkTiles(totals: readonly ZoomTotals[], file: string): void {
  if (countOf(totals) === 0) throw new CommandError(`${file} has no shore in this area: no tile was written.`);
}

/** TileJSON 3.0.0. */
function tileJsonOf({ layers, maxZoom, bounds }: MapTiles, { shoreline, attributions }: AttributedSource, url: string) {
  return {
    tilejson: '3.0.0',
    name: shoreline.name,
    version: '1.0.0',
    description: `Land and water of ${shoreline.name} ${shoreline.version}. Tiles without land or shore are left out: they are water, or beyond the data.`,
    attribution: [...new Set(layers.map((layer) => attributions[layer] ?? ''))]
      .filter((text) => text !== '')
      .join('; '),
    scheme: 'xyz',
    tiles: [url],
    minzoom: 0,
    maxzoom: maxZoom,
    bounds: [bounds.west, bounds.south, bounds.east, bounds.north],
    vector_layers: layers.map((id) => ({ id, description: attributions[id] ?? '', fields: {} })),
  };
}

function write(file: string, content: string | Uint8Array): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
}
