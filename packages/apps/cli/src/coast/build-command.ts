import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  buildCoastIndex,
  describeIndex,
  encodeCoastIndex,
  formatIndexDescription,
  openCoastData,
} from '@leeward/coast';
import { buildTilesInThreads } from '@leeward/coast/tiles';
import { coastlineUsFiles } from '@leeward/coastline-us';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';
import type { BuildOptions } from './build-shoreline.ts';
import { boxOf } from './coverage-box.ts';
import { bytesOf, orSay } from './open-coast.ts';

interface GivenOptions extends Omit<BuildOptions, 'accuracyMeters' | 'coverage'> {
  readonly out: string;
  readonly accuracy?: string;
  readonly coverage?: readonly string[];
  readonly tiles?: boolean;
}

/** `leeward coast build`: cleans, measures and packs a custom coastline. */
export function coastBuildCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('build')
    .description('Build a coastline of one’s own, measured at NOAA’s tide stations; or an index of the shipped one.')
    .argument(
      '<files...>',
      'GeoJSON, TopoJSON, shapefiles, zip archives of them; or "us:gshhg" and "us:osm" for the shipped ones',
    )
    .requiredOption('--out <file>', 'where the index is written')
    .option('--name <name>', 'name of the data', 'coast')
    .option(
      '--kind <kind>',
      'auto (by the files’ names), tiger-coastline, tiger-areawater, cusp, nhd; land or water for plain polygons and lines',
      'auto',
    )
    .option('--layer <name>', 'the layer name for plain files, used in queries', 'tidal')
    .option('--shore <name>', 'the name of the water, for files without a name', 'coast')
    .option('--tidal-streams <names>', 'rivers and canals that are tidal here, by name, separated by commas')
    .option(
      '--coverage <box...>',
      'boxes west,south,east,north in degrees, in which the files have all of the shore; it has no answer outside',
    )
    .option(
      '--accuracy <meters>',
      'accuracy class of the source: how far the lines may be from the shore, in 95 % of cases (default: measured at tide stations)',
    )
    .option('--attribution <text>', 'whom to name')
    .option('--data-version <text>', 'version of the data')
    .option('--tiles', 'build the fast tiles ahead as well')
    .action((files: string[], options: GivenOptions) => orSay(() => build(files, options, terminal)));
}

async function build(files: readonly string[], givenOptions: GivenOptions, terminal: Terminal): Promise<void> {
  const { accuracy, coverage, out, tiles, ...options } = givenOptions;
  // Loaded on demand: a fifth of the command line's code.
  const { buildShoreline } = await import('./build-shoreline.ts');
  const index =
    shippedFile(files, terminal) ??
    buildCoastIndex(
      await buildShoreline(
        files,
        {
          ...options,
          ...(accuracy === undefined ? {} : { accuracyMeters: metersOf(accuracy) }),
          coverage: (coverage ?? []).map((text) => boxOf(text, '--coverage')),
        },
        terminal,
      ),
    );
  if (tiles) {
    let last = -1;
    const { layerNames } = index.header;
    const definitions = layerNames.includes('tidal') ? ['tidal'] : [...layerNames];
    await buildTilesInThreads(index, { definitions }, 2, (done, of) => {
      const percent = Math.floor((100 * done) / of);
      if (percent !== last && terminal.columns !== undefined) terminal.writeError(`\rtiles ${percent} %`);
      last = percent;
    });
    if (terminal.columns !== undefined) terminal.writeError('\n');
  }
  const bytes = encodeCoastIndex(index);
  try {
    writeFileSync(resolve(terminal.folder, out), bytes);
  } catch (error) {
    throw new CommandError(`${out} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
  terminal.write(
    `${out}: ${bytes.length.toLocaleString('en-US')} bytes\n${formatIndexDescription(describeIndex(index))}\n`,
  );
}

function shippedFile(files: readonly string[], terminal: Terminal) {
  const [first] = files;
  if (first === undefined || !first.startsWith('us:')) return undefined;
  const source = first.slice(3);
  if (files.length > 1 || !(source === 'gshhg' || source === 'osm')) {
    throw new CommandError(`${files.join(' ')}: name one of us:gshhg and us:osm; the two are kept apart.`);
  }
  terminal.writeError(`The shipped ${source} coastline; its licence goes with the index.\n`);
  return openCoastData(bytesOf(fileURLToPath(coastlineUsFiles[source]), terminal), source);
}

function metersOf(text: string): number {
  const meters = text.trim() === '' ? Number.NaN : Number(text);
  if (meters >= 0 && meters < Number.POSITIVE_INFINITY) return meters;
  throw new CommandError(`--accuracy is ${JSON.stringify(text)}; give metres, like 50.`);
}
