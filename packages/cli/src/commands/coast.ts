import { readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import {
  buildCoastIndex,
  describeIndex,
  encodeCoastIndex,
  formatCoastAnswer,
  formatIndexDescription,
  openCoastData,
} from '@leeward/coast';
import { coastAnswerToGeoJson } from '@leeward/coast/geojson';
import { buildTilesInThreads } from '@leeward/coast/tiles';
import {
  buildNationalShoreline,
  cuspShoreline,
  type FeatureMap,
  formatShorelineReport,
  readShoreline,
  tigerAreaWater,
  tigerCoastline,
} from '@leeward/coast-builder';
import { coastlineUsFiles } from '@leeward/coastline-us';
import { compareCoasts, seededHomes } from '@leeward/coastline-us/compare';
import { writeDistance } from '@leeward/http';
import type { Command } from 'commander';
import { coastBatchCommand } from '../coast/batch-command.ts';
import { placeOfWords, tellPlace } from '../coast/find-place.ts';
import { bytesOf, openCoast, orSay } from '../coast/open-coast.ts';
import { CommandError } from '../command-error.ts';
import type { Terminal } from '../terminal.ts';

interface NearOptions {
  readonly coast: string;
  readonly index?: string;
  readonly geojson?: boolean;
  readonly json?: boolean;
}

interface BuildOptions {
  readonly out: string;
  readonly name: string;
  readonly kind: string;
  readonly accuracy?: string;
  readonly attribution?: string;
  readonly dataVersion?: string;
  readonly tiles?: boolean;
}

interface CompareOptions {
  readonly homes: string;
  readonly seed: string;
  readonly coast: string;
  readonly json?: boolean;
}

export function coastCommand(program: Command, terminal: Terminal): void {
  const coast = program.command('coast').description('Where the shore is, and how sure that is.');
  coast
    .command('near')
    .description('The nearest point of the shore, from a point or an address.')
    .argument('<place...>', 'latitude and longitude, or an address in one line')
    // "-14.3, -170.7" is a place.
    .allowUnknownOption()
    .option('--coast <definition>', 'tidal, ocean, ocean_narrow, ocean_wide or great_lakes', 'tidal')
    .option('--index <file>', 'an index or shoreline of one’s own (default the shipped coastline)')
    .option('--geojson', 'print the home, the coast point, the line and the circle of accuracy')
    .option('--json', 'print what the HTTP API would answer')
    .action((words: string[], options: NearOptions) => orSay(() => near(words, options, terminal)));
  coastBatchCommand(coast, terminal);
  coast
    .command('info')
    .description('What an index or shoreline holds.')
    .argument('[file]', 'default the shipped files')
    .action((file: string | undefined) => orSay(() => info(file, terminal)));
  coast
    .command('build')
    .description('Build an index from GeoJSON, TopoJSON or shapefiles; or from the shipped coastline.')
    .argument('<files...>', 'files of shore, or "us:gshhg" and "us:osm" for the shipped ones')
    .requiredOption('--out <file>', 'where the index is written')
    .option('--name <name>', 'name of the data', 'coast')
    .option('--kind <kind>', 'plain, tiger-coastline, tiger-areawater or cusp', 'plain')
    .option('--accuracy <meters>', 'how far the lines may lie from the shore, in 95 % of cases')
    .option('--attribution <text>', 'whom to name')
    .option('--data-version <text>', 'version of the data')
    .option('--tiles', 'build the fast tiles ahead as well')
    .action((files: string[], options: BuildOptions) => orSay(() => build(files, options, terminal)));
  coast
    .command('compare')
    .description('How far two coastlines differ near the shore, and how often that matters to a limit.')
    .argument('<a>', 'a file, or "us" for the shipped coastline')
    .argument('<b>', 'another')
    .option('--homes <count>', 'seeded homes to compare at', '2000')
    .option('--seed <number>', 'equal seeds give equal homes', '1')
    .option('--coast <definition>', 'what counts as coast', 'tidal')
    .option('--json', 'print as JSON')
    .action((a: string, b: string, options: CompareOptions) => orSay(() => compare(a, b, options, terminal)));
}

async function near(words: readonly string[], options: NearOptions, terminal: Terminal): Promise<void> {
  const place = await placeOfWords(words, terminal);
  const answer = openCoast(options.index, terminal).nearest(place, options.coast);
  tellPlace(place, terminal);
  if (options.geojson) terminal.write(`${JSON.stringify(coastAnswerToGeoJson(answer), null, 2)}\n`);
  else if (options.json) terminal.write(`${JSON.stringify(writeDistance(answer, place, options.coast), null, 2)}\n`);
  else terminal.write(`${formatCoastAnswer(answer, place)}\n`);
}

async function info(file: string | undefined, terminal: Terminal): Promise<void> {
  if (file !== undefined) {
    terminal.write(`${formatIndexDescription(describeIndex(openCoastData(bytesOf(file, terminal), file)))}\n`);
    return;
  }
  for (const [name, url] of Object.entries(coastlineUsFiles)) {
    terminal.write(`${formatIndexDescription(describeIndex(openCoastData(readFileSync(url), name)))}\n\n`);
  }
}

async function build(files: readonly string[], options: BuildOptions, terminal: Terminal): Promise<void> {
  const shipped = shippedFile(files, terminal);
  const index = shipped ?? buildCoastIndex(await shorelineOf(files, options, terminal));
  if (options.tiles) {
    let last = -1;
    await buildTilesInThreads(index, { definitions: ['tidal'] }, 2, (done, of) => {
      const percent = Math.floor((100 * done) / of);
      if (percent !== last && terminal.columns !== undefined) terminal.writeError(`\rtiles ${percent} %`);
      last = percent;
    });
    if (terminal.columns !== undefined) terminal.writeError('\n');
  }
  const bytes = encodeCoastIndex(index);
  writeFileSync(resolve(terminal.folder, options.out), bytes);
  terminal.write(
    `${options.out}: ${bytes.length.toLocaleString('en-US')} bytes\n${formatIndexDescription(describeIndex(index))}\n`,
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
  return openCoastData(readFileSync(coastlineUsFiles[source]), source);
}

async function shorelineOf(files: readonly string[], options: BuildOptions, terminal: Terminal) {
  const accuracy = options.accuracy === undefined ? undefined : Number(options.accuracy);
  if (accuracy !== undefined && !(accuracy >= 0)) {
    throw new CommandError(`--accuracy is "${options.accuracy}"; give metres, like 50.`);
  }
  const header = {
    name: options.name,
    ...(options.dataVersion === undefined ? {} : { version: options.dataVersion }),
    ...(options.attribution === undefined ? {} : { attribution: options.attribution }),
  };
  const read = files.map((file) => ({ name: basename(file), bytes: bytesOf(file, terminal), file }));
  if (options.kind === 'plain') {
    const { shoreline, report } = await readShoreline(read, {
      ...header,
      ...(accuracy === undefined ? {} : { accuracyMeters: { tidal: accuracy } }),
    });
    terminal.writeError(`${formatShorelineReport(report)}\n`);
    return shoreline;
  }
  const maps: Readonly<Record<string, FeatureMap>> = {
    'tiger-coastline': tigerCoastline,
    'tiger-areawater': tigerAreaWater({ shore: options.name }),
    cusp: cuspShoreline,
  };
  const map = Object.hasOwn(maps, options.kind) ? maps[options.kind] : undefined;
  if (!map) throw new CommandError(`--kind is "${options.kind}"; give plain, ${Object.keys(maps).join(', ')}.`);
  const mapped = read.map(({ name, bytes, file }) => {
    const attributes = attributesOf(file, terminal);
    return { name, bytes, map, ...(attributes ? { attributes } : {}) };
  });
  const { shoreline, report, ignored } = await buildNationalShoreline(mapped, {
    ...header,
    ...(accuracy === undefined ? {} : { accuracyMeters: accuracy }),
  });
  terminal.writeError(`${formatShorelineReport(report)}\n`);
  for (const [reason, count] of Object.entries(ignored)) terminal.writeError(`left out: ${count} ${reason}\n`);
  return shoreline;
}

async function compare(a: string, b: string, options: CompareOptions, terminal: Terminal): Promise<void> {
  const homes = Number(options.homes);
  const seed = Number(options.seed);
  if (!Number.isInteger(homes) || homes < 1)
    throw new CommandError(`--homes is "${options.homes}"; give a whole number.`);
  const first = openCoast(a, terminal);
  const second = openCoast(b, terminal);
  const places = seededHomes(first, { count: homes, seed, definition: options.coast });
  const compared = compareCoasts(first, second, places, { definition: options.coast });
  if (options.json) {
    terminal.write(`${JSON.stringify(compared, null, 2)}\n`);
    return;
  }
  const meters = (value: number) => `${Math.round(value).toLocaleString('en-US')} m`;
  const lines = [
    `${compared.places} homes near the coast (${compared.skipped} beyond one of the two)`,
    `differ by ${meters(compared.medianMeters)} at the median, ${meters(compared.p95Meters)} at the 95th percentile, ${meters(compared.largestMeters)} at most`,
    ...compared.flips.map(
      ({ limit, flips, flaggedByFirst, flaggedBySecond }) =>
        `${limit}: ${flips} flips, of which ${a} flags ${flaggedByFirst} and ${b} ${flaggedBySecond}`,
    ),
    'worst:',
    ...compared.worst.map(
      ({ point, firstMeters, secondMeters }) =>
        `  ${point.latitude.toFixed(4)}, ${point.longitude.toFixed(4)}: ${meters(firstMeters)} and ${meters(secondMeters)}`,
    ),
  ];
  terminal.write(`${lines.join('\n')}\n`);
}

/** The `.dbf` beside a `.shp`. */
function attributesOf(file: string, terminal: Terminal): Uint8Array | undefined {
  if (!/\.shp$/i.test(file)) return undefined;
  try {
    return readFileSync(resolve(terminal.folder, file.replace(/\.shp$/i, '.dbf')));
  } catch {
    return undefined;
  }
}
