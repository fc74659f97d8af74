import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeShoreline, type Shoreline } from '@leeward/coast';
import { describe, expect, it } from 'vitest';
import { type CoastlineUsSource, coastlineUsFiles } from './data-files.ts';

const packageFolder = join(import.meta.dirname, '..');
const data = join(packageFolder, 'data');

interface RecipeReport {
  readonly gshhg: { readonly sha256: string; readonly bytes: number; readonly writtenSegments: number };
  readonly osm: { readonly sha256: string; readonly bytes: number; readonly writtenSegments: number };
}

describe('the shipped data', () => {
  const report = JSON.parse(readFileSync(join(data, 'recipe-report.json'), 'utf8')) as RecipeReport;

  it.each(['gshhg', 'osm'] as const)(
    '%s has the bytes that the recipe wrote, and its licence',
    (source: CoastlineUsSource) => {
      const bytes = readFileSync(coastlineUsFiles[source]);
      expect(bytes.length).toBe(report[source].bytes);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(report[source].sha256);
      const notice = readFileSync(join(data, source, 'NOTICE.md'), 'utf8');
      expect(notice).toMatch(
        source === 'gshhg' ? /Lesser General Public License/ : /opendatacommons.org\/licenses\/odbl\/1-0/,
      );
      const shoreline = decodeShoreline(bytes);
      expect(shoreline.attribution).toContain(source === 'gshhg' ? 'LGPL-3.0-or-later' : 'ODbL-1.0');
      expect(segmentsOf(shoreline)).toBe(report[source].writtenSegments);
    },
  );

  it('has no line along the 180° meridian, and nested oceans', () => {
    for (const source of ['gshhg', 'osm'] as const) {
      const { positions, lineStarts, layers, layerNames } = decodeShoreline(readFileSync(coastlineUsFiles[source]));
      const bit = (name: string): number => 1 << layerNames.indexOf(name);
      let nested = true;
      let alongMeridian = 0;
      for (let line = 0; line + 1 < lineStarts.length; line++) {
        for (let v = lineStarts[line]!; v + 1 < lineStarts[line + 1]!; v++) {
          // Segments without a layer only join the parts of a line that was cut.
          if (layers[v] === 0) continue;
          if (Math.abs(positions[2 * v]!) === 180 && Math.abs(positions[2 * v + 2]!) === 180) alongMeridian++;
          const has = (name: string): boolean => (layers[v]! & bit(name)) !== 0;
          nested &&= !has('ocean_wide') || has('ocean');
          nested &&= !has('ocean') || has('ocean_narrow');
          nested &&= !has('ocean_narrow') || has('tidal');
          nested &&= has('tidal') !== has('great_lakes');
        }
      }
      expect(nested).toBe(true);
      expect(alongMeridian).toBe(0);
    }
  });

  it('stays under 5.5 MB, without install scripts', () => {
    const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([]);
    expect(sizeOf(data)).toBeLessThan(5_500_000);
  });
});

function segmentsOf({ layers, lineStarts }: Shoreline): number {
  const lastVertices = new Set(lineStarts.slice(1).map((start) => start - 1));
  return layers.reduce((sum, mask, vertex) => sum + Number(mask !== 0 && !lastVertices.has(vertex)), 0);
}

function sizeOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
