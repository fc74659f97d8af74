import { checkState, findCounties } from '@leeward/places/counties';
import { compareZip, type ZipGazetteer } from '@leeward/places/zips';
import { isObject, own, quoteValue, type Warning } from '@leeward/terms';

/** Warns of a ZIP code in another state or far from the county. ZIP codes cross county lines. */
export function zipcodeWarnings(body: unknown, gazetteer: ZipGazetteer | undefined): readonly Warning[] {
  const fields = isObject(body) ? own(body, 'fields') : undefined;
  const state = checkState(own(fields, 'state'));
  if (gazetteer === undefined || !('value' in state)) return [];
  // JSON numbers lose leading zeros.
  const zip = String(own(fields, 'zipcode')).trim().padStart(5, '0');
  const county = String(own(fields, 'county'));
  const { code, name } = state.value;
  const { verdict, zipPoint } = compareZip(gazetteer, zip, code, findCounties(code, county));
  if (zipPoint === undefined || (verdict !== 'other_state' && verdict !== 'far')) return [];
  const path = '/fields/zipcode';
  const where = `${zipPoint.city === undefined ? '' : `${zipPoint.city}, `}${zipPoint.state.toUpperCase()}`;
  const message = `The ZIP code ${zipPoint.zip} belongs to ${where}, but the request places the home in`;
  if (verdict === 'other_state') {
    return [{ path, code: 'zipcode_not_in_state', message: `${message} ${name}. Carriers get both unchanged.` }];
  }
  const place = `${quoteValue(county)}, ${code.toUpperCase()}, far from there`;
  return [{ path, code: 'zipcode_far_from_county', message: `${message} ${place}. Carriers get both unchanged.` }];
}
