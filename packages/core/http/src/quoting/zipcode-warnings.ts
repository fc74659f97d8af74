import { checkState, findCounties } from '@leeward/places/counties';
import { compareZip, type ZipGazetteer } from '@leeward/places/zips';
import { isObject, own, quoteValue, type Warning } from '@leeward/terms';

/**
 * What is odd about the ZIP code of a quote request that was accepted: it lies in another state, or far from the county.
 * ZIP codes cross lines on maps, so nobody is refused for it.
 */
export function zipcodeWarnings(body: unknown, gazetteer: ZipGazetteer | undefined): readonly Warning[] {
  const fields = isObject(body) ? own(body, 'fields') : undefined;
  const state = checkState(own(fields, 'state'));
  if (gazetteer === undefined || !('value' in state)) return [];
  // As a JSON number a code of the north-east has lost its zeros.
  const zip = String(own(fields, 'zipcode')).trim().padStart(5, '0');
  const county = String(own(fields, 'county'));
  const { code, name } = state.value;
  const { verdict, zipPoint } = compareZip(gazetteer, zip, code, findCounties(code, county));
  if (zipPoint === undefined || (verdict !== 'other_state' && verdict !== 'far')) return [];
  const path = '/fields/zipcode';
  const where = `${zipPoint.city === undefined ? '' : `${zipPoint.city}, `}${zipPoint.state.toUpperCase()}`;
  const message = `The ZIP code ${zipPoint.zip} is of ${where}, and the home is said to stand in`;
  if (verdict === 'other_state') {
    return [{ path, code: 'zipcode_not_in_state', message: `${message} ${name}; carriers are asked as given.` }];
  }
  const place = `${quoteValue(county)}, ${code.toUpperCase()}, far from there`;
  return [{ path, code: 'zipcode_far_from_county', message: `${message} ${place}; carriers are asked as given.` }];
}
