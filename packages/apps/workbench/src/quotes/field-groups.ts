import { answerOfHome, type QuoteField } from './quote-form-state.ts';
import { sentence } from './quote-words.ts';

export interface FieldGroup {
  readonly title: string;
  readonly fields: readonly QuoteField[];
}

const groupNames: readonly (readonly [title: string, names: readonly string[]])[] = [
  ['Policy', ['effective_date', 'dwelling_a']],
  [
    'Insured',
    ['first_name', 'last_name', 'insured_email', 'insured_date_of_birth', 'insured_phone', 'phone_type', 'ownership'],
  ],
  ['Address', ['house_number', 'street', 'city', 'county', 'state', 'zipcode']],
  ['Home', []],
  ['Roof', ['roof_year', 'roof_option', 'roof_shape']],
];

/** Fields without an answer of the home in groups; the others in `answered`. Typing moves no field. */
export function groupFields(fields: readonly QuoteField[]): {
  readonly groups: readonly FieldGroup[];
  readonly answered: readonly QuoteField[];
} {
  const isAnswered = (field: QuoteField) => answerOfHome(field) !== undefined;
  const open = fields.filter((field) => !isAnswered(field));
  const named = new Set(groupNames.flatMap(([, names]) => names));
  const groups = groupNames.map(([title, names]) => ({
    title,
    fields: open.filter(({ name }) => (names.length === 0 ? !named.has(name) : names.includes(name))),
  }));
  return { groups: groups.filter((group) => group.fields.length > 0), answered: fields.filter(isAnswered) };
}

const labels: Readonly<Record<string, string>> = {
  insured_email: 'E-mail',
  insured_date_of_birth: 'Date of birth',
  insured_phone: 'Telephone',
  phone_type: 'Kind of telephone',
  dwelling_a: 'Coverage A (dollars)',
  square_feet: 'Living area (square feet)',
  roof_year: 'Year of the roof',
  zipcode: 'ZIP code',
  roof_option: 'Roof covering',
  roof_shape: 'Shape of the roof',
  construction_type_options: 'Construction',
  total_claims: 'Claims in five years',
  hvac_age: 'Age of heating and cooling',
  no_prior: 'Days since prior insurance',
  lapse_in_coverage: 'Days since coverage lapsed',
  lat: 'Latitude',
  lng: 'Longitude',
};

export const labelOf = (name: string): string => labels[name] ?? sentence(name.replaceAll('_', ' '));
