import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { joinLines } from './join-lines.ts';
import { type LineSet, LineSetBuilder } from './line-set.ts';

/**
 * Two boxes with every shore of the United States and its neighbours: the Americas and the Pacific east of 180°, and the western
 * Pacific. GMT returns whole bins of 1°, cut at the border of a box.
 */
export const EXTRACTION_BOXES = ['-180/-60/-16/75', '140/180/10/60'] as const;

/**
 * Full resolution. `-W1/0.25p` is the pen of level 1 (land against the sea): `-W1` would mean a pen of 1 point for all levels, and turn
 * every lake into coast.
 */
export function readGshhgOcean(): LineSet {
  return extract(EXTRACTION_BOXES, ['-W1/0.25p']);
}

/** Lakes of 1,000 km² and more, unclassified. */
export function readGshhgLakes(): LineSet {
  return extract(['-93/-74/40/50'], ['-W2/0.25p', '-A1000/2/2']);
}

export function readGshhgLakeIslands(): LineSet {
  return extract(['-93/-74/40/50'], ['-W3/0.25p', '-A0/3/3']);
}

export function gmtVersion(): string {
  return execFileSync('gmt', ['--version'], { encoding: 'utf8' }).trim();
}

function extract(boxes: readonly string[], flags: readonly string[]): LineSet {
  const lines = new LineSetBuilder();
  // GMT writes a history file to its working directory.
  const folder = mkdtempSync(join(tmpdir(), 'gshhg-'));
  try {
    for (const box of boxes) {
      const bytes = execFileSync('gmt', ['coast', '-M', '-Df', ...flags, `-R${box}`, '-bo2d'], {
        cwd: folder,
        maxBuffer: 1 << 30,
      });
      const numbers = new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
      for (let i = 0; i + 1 < numbers.length; i += 2) {
        // A record of two NaN begins a line.
        if (Number.isNaN(numbers[i]!)) lines.endLine();
        else lines.addVertex(quantize(numbers[i]!), quantize(numbers[i + 1]!));
      }
      lines.endLine();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return joinLines(lines.finish());
}

/** GSHHG has 65,535 steps per degree; GMT's arithmetic differs in the last bits between bins. */
function quantize(degrees: number): number {
  const wrapped = degrees > 180 ? degrees - 360 : degrees;
  return Math.round(wrapped * 65_535) / 65_535;
}
