import { homeForm } from '../home/home-state.ts';
import { titleIn } from '../home/line-form.ts';
import { answerOfHome, type QuoteField } from './quote-form-state.ts';

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

const units: Readonly<Record<string, string>> = { dwelling_a: 'dollars', square_feet: 'square feet' };

/** The label of a field of quotes or homes, at the start of a sentence. */
export const labelOf = (name: string): string => titleIn(homeForm, name);

/** The label of an input, with the unit. */
export const inputLabelOf = (name: string): string => `${labelOf(name)}${units[name] ? ` (${units[name]})` : ''}`;
