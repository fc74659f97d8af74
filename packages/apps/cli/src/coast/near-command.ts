import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatCoastAnswer } from '@leeward/coast';
import { coastAnswerToGeoJson } from '@leeward/coast/geojson';
import { makePicture } from '@leeward/coast-picture';
import { type FoundPlace, findPlace, MEAN_HIGH_WATER_LAYER, nearestCoast, writeDistance } from '@leeward/http/distance';
import { Problem } from '@leeward/http/problem';
import { loadZipGazetteer } from '@leeward/places/zips';
import { suggest } from '@leeward/terms';
import { wordOf, writeDataset, writeLength } from '@leeward/terms/words';
import type { Command } from 'commander';
import { CommandError } from '../command-error.ts';
import { openGeocoder } from '../serve/open-distances.ts';
import { wrapLines } from '../table/fitting-table.ts';
import type { Terminal } from '../terminal.ts';
import { distanceSettings } from './distance-settings.ts';
import { openCoast, orSay } from './open-coast.ts';
import { coastHtml } from './picture/coast-html.ts';
import { coastKml } from './picture/coast-kml.ts';
import { formatWithin, probabilitiesOf, readWithin } from './within.ts';

interface NearOptions {
  readonly coast: string;
  readonly index?: string;
  /** true: on standard output. */
  readonly geojson?: string | true;
  readonly svg?: string;
  readonly html?: string;
  readonly kml?: string;
  readonly title?: string;
  readonly json?: boolean;
  readonly within?: string;
}

/** `leeward coast near`: the nearest shore as text, JSON or a map. */
export function coastNearCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('near')
    .description('The nearest point of the shore, from a point or an address; and a map of it.')
    .argument('<place...>', 'latitude and longitude, or an address in one line')
    // "-14.3, -170.7" is a place.
    .allowUnknownOption()
    .option('--coast <definition>', 'tidal, ocean, ocean_narrow, ocean_wide, great_lakes or mean_high_water', 'tidal')
    .option('--index <file>', 'an index or shoreline of one’s own (default the shipped coastline)')
    .option('--within <lengths>', 'also how likely the shore is within lengths, separated by commas: 1000ft,1mi,500m')
    .option('--svg <file>', 'draw a map, as one picture')
    .option('--html <file>', 'draw a map, as a page')
    .option('--title <text>', 'what the map is called (default the address, or the coordinates)')
    .option('--kml <file>', 'write home, coast point, line and circle of accuracy for Google Earth')
    .option(
      '--geojson [file]',
      'the same as GeoJSON: into a file that ends in .geojson or .json, or without one printed',
    )
    .option('--json', 'print what the HTTP API would answer')
    .action((words: string[], options: NearOptions, command: Command) => {
      refuseOptions(words, command);
      return orSay(() => near(words, options, terminal));
    });
}

/** A negative number looks like an option. Refuse other options. */
function refuseOptions(words: readonly string[], command: Command): void {
  const option = words.find((word) => /^--?[a-z]/i.test(word));
  if (option === undefined) return;
  const near = suggest(
    option,
    command.options.flatMap(({ long }) => long ?? []),
  );
  const suggestion = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  throw new CommandError(`unknown option '${option}'${suggestion}`, { exitCode: 2 });
}

async function near(placeWords: readonly string[], options: NearOptions, terminal: Terminal): Promise<void> {
  const { words, geojson } = withoutFile(placeWords, options.geojson);
  const { coast: definition } = options;
  const within = readWithin(options.within);
  const place = await placeOfWords(words, terminal);
  const coast = openCoast(options.index, terminal);
  const answer = nearestCoast(coast, place, definition);
  writePlace(place, terminal);
  if (options.svg !== undefined || options.html !== undefined || options.kml !== undefined) {
    if (
      definition === MEAN_HIGH_WATER_LAYER &&
      !coast.datasets.some(({ layerNames }) => layerNames.includes(definition))
    ) {
      throw new CommandError(
        `No layer draws ${definition}, which lies between tidal and ocean_narrow: draw one of these.`,
      );
    }
    const gazetteer = await loadZipGazetteer();
    const picture = makePicture({ coast, answer, place, definition, gazetteer, title: options.title });
    if (options.svg !== undefined) write(options.svg, picture.svg(), terminal);
    if (options.html !== undefined) write(options.html, coastHtml(picture), terminal);
    if (options.kml !== undefined) write(options.kml, coastKml(coastAnswerToGeoJson(answer), picture.words), terminal);
  }
  const features = () => `${JSON.stringify(coastAnswerToGeoJson(answer), null, 2)}\n`;
  if (typeof geojson === 'string') write(geojson, features(), terminal);
  if (geojson === true) terminal.write(features());
  else {
    const probabilities = probabilitiesOf(coast, place, definition, answer, within);
    if (options.json) {
      const wire = writeDistance(answer, place, definition, undefined, probabilities);
      terminal.write(`${JSON.stringify(wire, null, 2)}\n`);
    } else {
      const text = formatCoastAnswer(answer, place, coastWords);
      terminal.write(`${wrapLines(text, terminal)}\n${formatWithin(within, probabilities)}`);
    }
  }
}

/** The word after `--geojson` is a file by its extension; otherwise the place starts there. */
function withoutFile(
  words: readonly string[],
  geojson: string | true | undefined,
): { readonly words: readonly string[]; readonly geojson: string | true | undefined } {
  if (typeof geojson !== 'string' || /\.(?:geo)?json$/i.test(geojson)) return { words, geojson };
  return { words: [geojson, ...words], geojson: true };
}

function write(file: string, text: string, terminal: Terminal): void {
  try {
    writeFileSync(resolve(terminal.folder, file), text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  }
  terminal.writeError(`Wrote ${file}.\n`);
}

/** Two numbers, or an address. */
async function placeOfWords(words: readonly string[], terminal: Terminal): Promise<FoundPlace> {
  const option = words.find((word) => /^-+[a-z]/i.test(word));
  if (option !== undefined)
    throw new CommandError(`${JSON.stringify(option.slice(0, 60))} is not an option of this command.`);
  const text = words.join(' ').trim();
  const numbers = /^(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)$/.exec(text);
  const request = numbers ? { lat: Number(numbers[1]), lng: Number(numbers[2]) } : { address: text };
  const ports = numbers ? {} : await openGeocoder(distanceSettings(terminal));
  return findPlace(request, ports).catch((error: unknown) => {
    throw error instanceof Problem ? new CommandError(describeProblem(error)) : error;
  });
}

const coastWords = {
  dataset: writeDataset,
  datasetName: (name: string) => wordOf('dataset', name),
  layer: (name: string) => wordOf('coast', name),
  length: writeLength,
};

/** Reports on standard error how a place was found, with warnings. */
function writePlace(place: FoundPlace, terminal: Terminal): void {
  const { matchedAddress, precision, errorRadiusMeters, source, attribution, warnings } = place;
  const say = (text: string) => terminal.writeError(`${wrapLines(text, terminal)}\n`);
  if (matchedAddress !== undefined) {
    const radius = writeLength(errorRadiusMeters);
    say(`${matchedAddress}: ${wordOf('precision', precision)}, within ${radius} (${wordOf('dataset', source)})`);
    if (attribution !== undefined) say(attribution);
  }
  for (const { message } of warnings) say(message);
}

function describeProblem({ message, options: { members, cause } }: Problem): string {
  const candidates = (members?.['candidates'] ?? []) as readonly { readonly address: string }[];
  const lines = [message, ...candidates.map(({ address }) => `  ${address}`)];
  // Geocoders' errors hold neither URLs nor keys.
  if (cause instanceof Error) lines.push(cause.message);
  return lines.join('\n');
}
