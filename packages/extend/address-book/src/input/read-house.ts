import { checkPoint } from '@leeward/places';
import { readHouseNumber, readStreetLine } from '@leeward/places/address';
import { findState } from '@leeward/places/counties';
import type { HouseRecord, RecordKind } from '../record.ts';
import { readStreetName } from '../street/street-name.ts';
import type { RowFinding } from './address-input.ts';
import type { ColumnRole } from './columns.ts';
import type { InputOptions } from './input-options.ts';
import { stateByPosition, zipOf } from './place-by-position.ts';

/** Reads the cell of a role; empty if missing. */
export type FieldOf = (role: ColumnRole) => string;

/** Words for a missing value. */
const nothing = /^(?:not stated|unknown|n\/a|none|null|unincorporated|-+)?$/i;

export const isNothing = (text: string) => nothing.test(text.trim());

/** Reads a house, or the reason to leave it out. */
export function readHouse(fieldOf: FieldOf, { zips, state, kind }: InputOptions): HouseRecord | RowFinding {
  const field = (role: ColumnRole) => {
    const text = fieldOf(role).trim().replace(/\s+/g, ' ').slice(0, 100);
    return isNothing(text) ? '' : text;
  };
  if (/^retired/i.test(field('lifecycle'))) {
    return finding('retired', `${quoted(field('lifecycle'))} means that the address is no longer used`);
  }
  const line = field('address');
  const split = line === '' ? undefined : readStreetLine(line);
  const number = split === undefined ? readHouseNumber(field('number')) : split.number;
  if (number === undefined)
    return finding('no_number', `a house number was expected, not ${quoted(line || field('number'))}`);
  const street = split === undefined ? streetOfRecord(field('street')) : split.street;
  const name = readStreetName(street);
  if (name === undefined) return finding('no_street', `the name of a street was expected, not ${quoted(street)}`);

  const [longitudeText, latitudeText] = [field('longitude'), field('latitude')];
  const point = { latitude: Number(latitudeText || Number.NaN), longitude: Number(longitudeText || Number.NaN) };
  const fault = pointFinding(point, `${longitudeText}, ${latitudeText}`);
  if (fault !== undefined) return fault;

  const region = field('state');
  const stateCode = region === '' ? (state ?? stateByPosition(zips, point)) : findState(region)?.code;
  if (stateCode === undefined) {
    return region === ''
      ? finding('no_state', 'a state was expected, and the position is near a border: set the state (state)')
      : finding('unknown_state', `a state of the United States was expected, not ${quoted(region)}`);
  }
  if (state !== undefined && stateCode !== state) {
    return finding(
      'other_state',
      `addresses of ${state.toUpperCase()} were expected; this one is in ${stateCode.toUpperCase()}`,
    );
  }
  return {
    core: name.core,
    number,
    street,
    city: field('city'),
    state: stateCode,
    ...zipOf(zips, field('zip'), stateCode, point),
    latitude: point.latitude,
    longitude: point.longitude,
    kind: readRecordKind(field('kind')) ?? kind ?? (fieldOf('kind') === '' ? 'rooftop' : 'parcel'),
  };
}

export function pointFinding(
  point: { readonly latitude: number; readonly longitude: number },
  written: string,
): RowFinding | undefined {
  const { latitude, longitude } = point;
  if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) {
    return finding('no_coordinates', `longitude and latitude in degrees were expected, not ${quoted(written)}`);
  }
  if (latitude === 0 || longitude === 0) {
    return finding('zero_coordinates', `longitude and latitude in degrees were expected, not ${quoted(written)}`);
  }
  if (Math.abs(latitude) > 180 || Math.abs(longitude) > 180) {
    return finding(
      'projected_coordinates',
      `degrees (WGS 84) were expected; ${quoted(written)} are meters or feet of a projection`,
    );
  }
  const odd = checkPoint(point);
  if (odd === undefined) return undefined;
  return odd.suggestion === undefined
    ? finding('outside_us', `a place in the United States was expected, not ${quoted(written)}`)
    : finding(
        'swapped_coordinates',
        `longitude before latitude, with its minus sign, was expected, not ${quoted(written)}`,
      );
}

export function finding(code: RowFinding['code'], expected: string): RowFinding {
  return { code, message: `${expected}.` };
}

export function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 60));
}

/** A unit in a record's street. Excludes numbers of roads, such as `No 5`, `FL 7` and `State Highway #50`. */
const unitOfRecord =
  /(?<!\b(?:highway|hwy|route|rte|rt)\.?)[\s,]+(?:(?:apartment|apt|unit|suite|ste|building|bldg|floor|lot|trlr)\.?[\s#-]*|#\s*)(?:[a-z]?-?\d[\w-]*|[a-z])$/i;

function streetOfRecord(street: string): string {
  let rest = street;
  for (let tries = 0; tries < 3; tries += 1) rest = rest.replace(unitOfRecord, '');
  return rest;
}

/**
 * Reads the kind of a point: `Placement` of the National Address Database and NENA ("Structure - Rooftop", "Parcel - Centroid",
 * "Property Access", "Linear Geocode" …), `accuracy` of OpenAddresses, or plain words. Undefined for other texts.
 */
function readRecordKind(text: string): RecordKind | undefined {
  const words = text.toLowerCase();
  if (/entrance|door/.test(words)) return 'entrance';
  if (/structure|roof|building|^1$/.test(words)) return 'rooftop';
  if (/access|driveway|^3$/.test(words)) return 'access';
  if (/parcel|site|centroid|^[25]$/.test(words)) return 'parcel';
  if (/geocod|linear|interpolat|^4$/.test(words)) return 'interpolated';
  return undefined;
}
