import { distanceNames, type Line } from '@leeward/engine';
import { isGiven } from '@leeward/terms';

/** Roof coverings of quotes as underwriting has them. */
const roofTypes: Readonly<Record<string, string>> = {
  'architectural shingle': 'architectural shingle',
  '3-tab shingle': '3-tab shingle',
  slate: 'slate',
  metal: 'metal',
  tile: 'tile',
  'clay tile': 'tile',
  'concrete tile': 'tile',
  flat: 'flat',
  'wood shake': 'wood shake',
  'tar and gravel': 'built up',
  membrane: 'membrane',
  other: 'other',
};

/** Fields of quotes that underwriting has under the same name and with the same meaning. */
const same = [
  'state',
  'county',
  'dwelling_a',
  'year_built',
  'ownership',
  'usage',
  // Not among the required ones, but understood where a caller gives them.
  'total_claims',
  'water_heater_age',
  'hvac_age',
  'lapse_in_coverage',
  'no_prior',
  'acreage',
  'primary_plumbing',
  'primary_wiring',
  'foundation_type',
  ...distanceNames.map(([name]) => name),
];

/**
 * A quote's fields as an underwriting request. What does not map is left out, and so unknown: never a reason
 * to decline.
 */
export function quoteHome(
  fields: Readonly<Record<string, unknown>>,
  formType: string,
  effectiveDate: string,
): Record<string, unknown> {
  const home: Record<string, unknown> = { policy_type: formType, effective_date: effectiveDate };
  for (const name of same) if (isGiven(fields[name])) home[name] = fields[name];
  const roofType = own(roofTypes, fields['roof_option']);
  if (isGiven(fields['roof_year']) && roofType !== undefined) {
    home['roof_age'] = fields['roof_year'];
    home['roof_type'] = roofType;
  }
  if (isGiven(fields['dwelling_type'])) home['structure_type'] = fields['dwelling_type'];
  const address = addressOf(fields);
  if (address !== undefined) home['address'] = address;
  // "8B", "4X" and "10W" are classes of their own: the plain number would be another home's.
  const protectionClass = String(fields['protection_class'] ?? '');
  if (/^([1-9]|10)$/.test(protectionClass)) home['protection_class'] = Number(protectionClass);
  return home;
}

/** The same of another line, whose quotes have its own fields under their own names. */
export function quoteOfLine(
  { vocabulary }: Line,
  fields: Readonly<Record<string, unknown>>,
  formType: string,
  effectiveDate: string,
): Record<string, unknown> {
  const body: Record<string, unknown> = { policy_type: formType, effective_date: effectiveDate };
  const names = vocabulary.fields.flatMap(({ requestName, schema }) => (schema ? [requestName] : []));
  const distances = distanceNames.flatMap(([name, field]) =>
    vocabulary.fields.some((each) => each.name === field) ? [name] : [],
  );
  for (const name of ['state', 'county', ...names, ...distances]) if (isGiven(fields[name])) body[name] = fields[name];
  const address = addressOf(fields);
  if (address !== undefined) body['address'] = address;
  return body;
}

/** The address in the parts that distances are looked up by; undefined where not even a place is named. */
function addressOf(fields: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const text = (name: string) => (isGiven(fields[name]) ? String(fields[name]).trim() : '');
  const parts = {
    line1: `${text('house_number')} ${text('street')}`.trim(),
    city: text('city'),
    state: text('state'),
    zipcode: text('zipcode'),
  };
  if (parts.city === '' && parts.zipcode === '') return undefined;
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== ''));
}

function own(table: Readonly<Record<string, string>>, key: unknown): string | undefined {
  return typeof key === 'string' && Object.hasOwn(table, key) ? table[key] : undefined;
}
