/**
 * Draws the shores of eight cities over each other: OpenStreetMap of 2017, of 2024, and GSHHG. Needs Chromium for the text.
 *
 *     node --conditions=@leeward/source data-recipes/coastline-us/draw/make-shore-pictures.ts <file of extract-osm.py> <map.geo.json of @geo-maps/earth-coastlines-1m 0.6.0> <folder>
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeShoreline, type Shoreline } from '@leeward/coast';
import { coastlineUsFiles } from '@leeward/coastline-us';
import { openChromium } from '../../../test/support/chromium.ts';
import { STEPS_PER_DEGREE } from '../build-sources.ts';
import { type LineSet, LineSetBuilder } from '../line-set.ts';
import { CLOSINGS } from '../osm-closings.ts';
import { readOsm } from '../read-osm.ts';
import { readOsmGeoJson } from '../read-osm-geojson.ts';
import type { View } from './draw-bands.ts';
import { drawShores, SHORE_COLORS, type ShoreLines } from './draw-shores.ts';
import { encodePng } from './png.ts';

const VIEWS: readonly (readonly [name: string, title: string, view: View])[] = [
  ['miami-beach', 'Miami Beach', { west: -80.2, south: 25.745, east: -80.1, north: 25.825 }],
  ['charleston', 'Charleston', { west: -80.0, south: 32.71, east: -79.84, north: 32.83 }],
  ['new-orleans', 'New Orleans', { west: -90.15, south: 29.88, east: -89.65, north: 30.22 }],
  ['annapolis', 'Annapolis', { west: -76.55, south: 38.93, east: -76.42, north: 39.02 }],
  ['galveston', 'Galveston', { west: -94.9, south: 29.24, east: -94.7, north: 29.38 }],
  ['coney-island', 'Coney Island', { west: -74.03, south: 40.56, east: -73.87, north: 40.65 }],
  ['san-juan', 'San Juan', { west: -66.15, south: 18.405, east: -65.98, north: 18.49 }],
  ['honolulu', 'Honolulu', { west: -157.98, south: 21.245, east: -157.79, north: 21.35 }],
];
const WIDTH = 1_000;
const COLORS = { old: '#d1372c', gshhg: '#3f6fd1', osm: '#111111', closing: '#8a2be2' } as const;

const [osmPath, oldPath, folder] = process.argv.slice(2);
if (osmPath === undefined || oldPath === undefined || folder === undefined)
  throw new Error('Name the land polygons, the coastline of 2017 and the folder for the pictures.');
mkdirSync(folder, { recursive: true });

const wkb = readFileSync(osmPath);
const old = readOsmGeoJson(oldPath, (x) => x < -60);
const gshhg = decodeShoreline(readFileSync(coastlineUsFiles.gshhg));
const osm = decodeShoreline(readFileSync(coastlineUsFiles.osm));
const browser = await openChromium();
try {
  const page = await browser.newPage();
  for (const [name, title, view] of VIEWS) {
    // A ring around the view has no vertex in it.
    const rings = readOsm(wkb, STEPS_PER_DEGREE, (x, y) => Math.abs(x - view.west) < 2 && Math.abs(y - view.south) < 2);
    const shores: ShoreLines[] = [
      { label: 'GSHHG', color: COLORS.gshhg, width: 1.5, dashes: '7 3', lines: gshhg },
      { label: 'OpenStreetMap, 2017', color: COLORS.old, width: 1.5, lines: old },
      { label: 'OpenStreetMap, 2024', color: COLORS.osm, width: 2, lines: searchedLines(osm) },
      { label: '2024, across a mouth: not searched', color: COLORS.closing, width: 3, lines: closings() },
    ];
    const { svg, height } = drawShores(title, view, rings, shores, WIDTH);
    const palette = blends([...Object.values(SHORE_COLORS), ...Object.values(COLORS)].map(toRgb));
    const pixels = await page.evaluate(rasterize, { svg, width: WIDTH, height, palette });
    const png = encodePng({ width: WIDTH, height, pixels: Buffer.from(pixels, 'base64'), palette });
    writeFileSync(join(folder, `${name}.png`), png);
    console.error(`${name}: ${png.length} bytes`);
  }
} finally {
  await browser.close();
}

/** The segments with a layer: lines are cut at the others. */
function searchedLines({ positions, lineStarts, layers }: Shoreline): LineSet {
  const lines = new LineSetBuilder();
  for (let line = 0; line + 1 < lineStarts.length; line++) {
    for (let v = lineStarts[line]!; v < lineStarts[line + 1]!; v++) {
      lines.addVertex(positions[2 * v]!, positions[2 * v + 1]!);
      if (layers[v] === 0) lines.endLine();
    }
  }
  return lines.finish();
}

function closings(): LineSet {
  const lines = new LineSetBuilder();
  for (const { path } of CLOSINGS) {
    for (const [longitude, latitude] of path) lines.addVertex(longitude, latitude);
    lines.endLine();
  }
  return lines.finish();
}

type Rgb = readonly [number, number, number];

function toRgb(color: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as unknown as Rgb;
}

/** Every color, and the middle of every two: enough for smooth edges. */
function blends(colors: readonly Rgb[]): Rgb[] {
  const middle = (a: Rgb, b: Rgb): Rgb => a.map((value, i) => Math.round((value + b[i]!) / 2)) as unknown as Rgb;
  return [...colors, ...colors.flatMap((a, i) => colors.slice(i + 1).map((b) => middle(a, b)))];
}

/** Globals of the browser that the function below uses. */
interface BrowserGlobals {
  readonly Image: new (width: number, height: number) => { src: string; decode(): Promise<void> };
  readonly OffscreenCanvas: new (
    width: number,
    height: number,
  ) => {
    getContext(kind: '2d'): {
      drawImage(image: object, x: number, y: number): void;
      getImageData(x: number, y: number, width: number, height: number): { readonly data: Uint8ClampedArray };
    };
  };
}

/** Runs in the browser: the index of the nearest color of each pixel, as base64. */
async function rasterize(task: {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly palette: readonly Rgb[];
}): Promise<string> {
  const { svg, width, height, palette } = task;
  const { Image, OffscreenCanvas } = globalThis as unknown as BrowserGlobals;
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const known = new Map<number, number>();
  let text = '';
  for (let at = 0; at < data.length; at += 4) {
    const key = (data[at]! << 16) | (data[at + 1]! << 8) | data[at + 2]!;
    let index = known.get(key);
    if (index === undefined) {
      index = 0;
      let least = Number.POSITIVE_INFINITY;
      palette.forEach((color, i) => {
        const distance =
          (color[0] - data[at]!) ** 2 + (color[1] - data[at + 1]!) ** 2 + (color[2] - data[at + 2]!) ** 2;
        if (distance >= least) return;
        least = distance;
        index = i;
      });
      known.set(key, index);
    }
    text += String.fromCharCode(index);
  }
  return btoa(text);
}
