import { homeVocabulary, type Line, type Vocabulary } from '@leeward/engine';
import { coordinateLimits, distanceNames, evidenceSubjects } from '@leeward/engine/compiled';
import { isGiven, isObject } from '@leeward/terms';

/** From quotes to underwriting. */
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

/** Equal in quotes and underwriting. */
const same = [
  'state',
  'county',
  'dwelling_a',
  'year_built',
  'ownership',
  'usage',
  // Optional in quotes.
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

/** Fields without a counterpart are unknown, so they never decline. */
export function quoteHome(
  fields: Readonly<Record<string, unknown>>,
  formType: string,
  effectiveDate: string,
  vocabulary: Vocabulary = homeVocabulary,
): Record<string, unknown> {
  const home: Record<string, unknown> = { policy_type: formType, effective_date: effectiveDate };
  // Optional fields of underwriting have the same names in quotes.
  const onDemand = vocabulary.fields.flatMap(({ requestName, isOnDemand }) => (isOnDemand ? [requestName] : []));
  const lists = (vocabulary.lists ?? []).map(({ name }) => name);
  for (const name of [...same, ...onDemand, ...lists]) if (isGiven(fields[name])) home[name] = fields[name];
  const construction = fields['construction_type_options'];
  if (isGiven(construction) && home['construction'] === undefined) home['construction'] = construction;
  const roofType = own(roofTypes, fields['roof_option']);
  if (isGiven(fields['roof_year']) && roofType !== undefined) {
    home['roof_age'] = fields['roof_year'];
    home['roof_type'] = roofType;
  }
  if (isGiven(fields['dwelling_type'])) home['structure_type'] = fields['dwelling_type'];
  addPlace(home, fields);
  // "8B", "4X" and "10W" are separate classes.
  const protectionClass = String(fields['protection_class'] ?? '');
  if (/^([1-9]|10)$/.test(protectionClass)) home['protection_class'] = Number(protectionClass);
  addEvidence(home, fields['evidence'], vocabulary, underwritingNames);
  return home;
}

/** Quotes of other lines use the names of the line. */
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
  for (const { name } of vocabulary.lists ?? []) if (isGiven(fields[name])) body[name] = fields[name];
  addPlace(body, fields);
  addEvidence(body, fields['evidence'], vocabulary, {});
  return body;
}

/** A point or a footprint is more exact than the address. */
function addPlace(body: Record<string, unknown>, fields: Readonly<Record<string, unknown>>): void {
  if (isGiven(fields['footprint'])) body['footprint'] = fields['footprint'];
  else if (isWithin(fields['lat'], coordinateLimits.lat) && isWithin(fields['lng'], coordinateLimits.lng)) {
    for (const name of ['lat', 'lng', 'radius_meters']) if (isGiven(fields[name])) body[name] = fields[name];
  } else {
    const address = addressOf(fields);
    if (address !== undefined) body['address'] = address;
  }
}

function isWithin(value: unknown, limit: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= limit;
}

/** Names in quotes → names in underwriting. */
const underwritingNames: Readonly<Record<string, string>> = {
  roof_year: 'roof_age',
  roof_option: 'roof_type',
  dwelling_type: 'structure_type',
  construction_type_options: 'construction',
};

/** Adds the dates and sources in `evidence`, by field, to the values of a request. */
function addEvidence(
  body: Record<string, unknown>,
  evidence: unknown,
  vocabulary: Vocabulary,
  names: Readonly<Record<string, string>>,
): void {
  if (!isObject(evidence)) return;
  const subjects = evidenceSubjects(vocabulary);
  for (const [field, own] of Object.entries(evidence)) {
    const name = Object.hasOwn(names, field) ? names[field]! : field;
    if (!isObject(own) || !Object.hasOwn(body, name) || !subjects.has(name)) continue;
    body[name] = { value: body[name], as_of: own['as_of'], source: own['source'] };
  }
}

/** undefined without a city or ZIP code. */
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
