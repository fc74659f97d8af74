import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { countyByFips, findState, type State } from '@leeward/places/counties';
import { loadZipGazetteer } from '@leeward/places/zips';
import type { Command } from 'commander';
import { CommandError } from '../../command-error.ts';
import { nearPath } from '../../near-path.ts';
import type { Terminal } from '../../terminal.ts';
import {
  type CoastlineSource,
  type CoastlineSourceName,
  coastlineSources,
  type RemoteFile,
  type SourceQuery,
} from './coastline-sources.ts';
import { DownloadError } from './download-error.ts';
import { downloadFile, sha256Of } from './download-file.ts';
import {
  FETCHED_FILES_NAME,
  type FetchedFile,
  readExpectedHashes,
  readFetchedFiles,
  writeFetchedFiles,
} from './fetched-files.ts';

interface FetchOptions {
  readonly source: string;
  readonly states?: string;
  readonly counties?: string;
  readonly year: string;
  readonly out?: string;
  readonly base?: string;
  readonly expect?: string;
  readonly list?: boolean;
}

const names = Object.keys(coastlineSources) as CoastlineSourceName[];
/** Limits reach 25 miles inland. */
const COASTAL_METERS = 40_234;

/** `leeward coast fetch`: needs a network. */
export function coastFetchCommand(coast: Command, terminal: Terminal): void {
  coast
    .command('fetch')
    .description('Download shorelines of the Census Bureau, NOAA or the USGS. An interrupted download resumes.')
    .requiredOption('--source <name>', names.join(', '))
    .option('--states <states>', 'states, separated by commas: FL,GA')
    .option('--counties <fips>', 'counties by five-digit code (default: those within 25 miles of a shore)')
    .option('--year <year>', 'edition of TIGER/Line', '2024')
    .option('--out <folder>', 'where the files go (default coastlines/<source>)')
    .option('--base <url>', 'a mirror, in the place of the office’s own server')
    .option('--expect <file>', 'a list of SHA-256 that the files must have, such as an earlier coastline-sources.json')
    .option('--list', 'print the addresses, and fetch nothing')
    .action((options: FetchOptions) => fetchFiles(options, terminal));
}

async function fetchFiles(options: FetchOptions, terminal: Terminal): Promise<void> {
  const { source: name } = options;
  if (!Object.hasOwn(coastlineSources, name)) {
    throw new CommandError(`--source is ${JSON.stringify(name)}; give ${names.join(', ')}.`);
  }
  const source: CoastlineSource = coastlineSources[name as CoastlineSourceName];
  const files = source.files(await queryOf(name as CoastlineSourceName, source, options));
  if (files.length === 0) throw new CommandError('None of these states has a shore; name others with --states.');
  if (options.list) {
    for (const { url } of files) terminal.write(`${url}\n`);
    return;
  }
  const folder = resolve(terminal.folder, options.out ?? join('coastlines', name));
  mkdirSync(folder, { recursive: true });
  terminal.writeError(`${source.title}: ${source.licence}.\n`);
  const listPath = join(folder, FETCHED_FILES_NAME);
  const expected = options.expect && readExpectedHashes(resolve(terminal.folder, options.expect));
  const fetched = readFetchedFiles(listPath);
  const got: string[] = [];
  for (const file of files) {
    const sha256 = expected ? expected[file.name] : undefined;
    if (expected && sha256 === undefined) {
      throw new CommandError(`${options.expect} has no SHA-256 of ${file.name}; leave out --expect to accept it.`);
    }
    const entry = await fetchOne(file, { folder, source, name, sha256, recorded: fetched[file.name] }, terminal);
    if (entry === undefined) continue;
    got.push(join(folder, file.name));
    fetched[file.name] = entry;
    writeFetchedFiles(listPath, fetched);
  }
  if (got.length === 0)
    throw new CommandError('These files are not on the server; see --list, or name another --base.');
  const fileNames = got.slice(0, 3).map((path) => nearPath(path, terminal.folder));
  const more = got.length > fileNames.length ? ' …' : '';
  terminal.write(
    `${got.length} ${got.length === 1 ? 'file' : 'files'} in ${nearPath(folder, terminal.folder)}; hashes in ${FETCHED_FILES_NAME}.\nNext: leeward coast build ${fileNames.join(' ')}${more} --name ${name} --attribution ${JSON.stringify(source.attribution)} --out ${name}.coast\n`,
  );
}

interface Context {
  readonly folder: string;
  readonly source: CoastlineSource;
  readonly name: string;
  readonly sha256: string | undefined;
  readonly recorded: FetchedFile | undefined;
}

/** Skips a file with the recorded hash. Returns undefined if the server lacks the tile. */
async function fetchOne(file: RemoteFile, context: Context, terminal: Terminal): Promise<FetchedFile | undefined> {
  const { folder, source, name, sha256, recorded } = context;
  const path = join(folder, file.name);
  if (recorded !== undefined && existsSync(path)) {
    const currentHash = await sha256Of(path);
    if (currentHash === (sha256?.toLowerCase() ?? recorded.sha256)) {
      terminal.writeError(`${file.name}: here already, unchanged\n`);
      return recorded;
    }
    terminal.writeError(`${file.name}: here, but its SHA-256 is ${currentHash}, so it is fetched again\n`);
  }
  try {
    const { bytes, sha256: hash, resumedAt, etag, lastModified } = await downloadFile({ url: file.url, path, sha256 });
    const size = bytes.toLocaleString('en-US');
    const resumed = resumedAt > 0 ? `, ${resumedAt.toLocaleString('en-US')} of them resumed` : '';
    terminal.writeError(`${file.name}: ${size} bytes${resumed}, SHA-256 ${hash}\n`);
    return {
      url: file.url,
      source: name,
      licence: source.licence,
      bytes,
      sha256: hash,
      ...(etag && { etag }),
      ...(lastModified && { last_modified: lastModified }),
      fetched_at: terminal.now().toISOString(),
    };
  } catch (error) {
    if (!(error instanceof DownloadError && error.isMissing && file.isOptional)) throw error;
    terminal.writeError(`${file.name}: this tile is not on the server\n`);
    return undefined;
  }
}

async function queryOf(
  name: CoastlineSourceName,
  source: CoastlineSource,
  options: FetchOptions,
): Promise<SourceQuery> {
  const states = statesOf(options.states);
  const counties = options.counties?.split(',').map((fips) => fips.trim());
  const odd = counties?.find((fips) => countyByFips(fips) === undefined);
  if (odd !== undefined) throw new CommandError(`--counties names ${JSON.stringify(odd)}; give codes like 12086.`);
  if (states.length === 0 && counties === undefined && name !== 'tiger-coastline') {
    throw new CommandError('Name the states: --states FL,GA.');
  }
  const year = /^20\d\d$/.test(options.year) ? Number(options.year) : undefined;
  if (year === undefined) throw new CommandError(`--year is ${JSON.stringify(options.year)}; give one like 2024.`);
  const coast = loadCoastlineUs();
  return {
    states,
    year,
    counties,
    gazetteer: await loadZipGazetteer(),
    isCoastal: (place) =>
      coast
        .nearestByEach(place, ['tidal', 'great_lakes'])
        .some(({ distanceMeters }) => distanceMeters <= COASTAL_METERS),
    base: baseOf(options.base ?? source.base),
  };
}

function statesOf(text = ''): State[] {
  const parts = text.split(',').filter((each) => each.trim() !== '');
  return parts.map((each) => {
    const state = findState(each);
    if (state !== undefined) return state;
    throw new CommandError(`--states names ${JSON.stringify(each.trim())}; give postal abbreviations like FL.`);
  });
}

function baseOf(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text.replace(/\/+$/, '');
  throw new CommandError(`--base is ${JSON.stringify(text)}; give an address that begins with https://.`);
}
