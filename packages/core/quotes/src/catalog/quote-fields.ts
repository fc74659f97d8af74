import { checkState, statePattern } from '@leeward/places/counties';
import { fieldOptions } from './field-options.ts';
import {
  checkedField,
  dateField,
  formattedField,
  integerField,
  optionField,
  type QuoteField,
  textField,
} from './quote-field.ts';

const FIRST_YEAR = 1600;
const toNextYear = ({ effectiveYear }: { effectiveYear: number }) => ({ min: FIRST_YEAR, max: effectiveYear + 1 });

function normalizePhone(text: string): string | undefined {
  const digits = text.replace(/[\s().\-\u2010-\u2015]+/g, '');
  const local = /^(?:\+?1)?([2-9]\d{9})$/.exec(digits)?.[1];
  if (local !== undefined) return `+1${local}`;
  return /^\+[1-9]\d{6,14}$/.test(digits) ? digits : undefined;
}

/** A dot-atom and a host name with a dot: the common subset of RFC 5322. */
export function normalizeEmail(text: string): string | undefined {
  const valid = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=.{3,255}$)([a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d-]{2,63}$/i;
  return valid.test(text) && !/^\.|\.\.|\.@/.test(text) ? text : undefined;
}

const insuredKeys = new Set([
  'first_name',
  'last_name',
  'insured_email',
  'insured_date_of_birth',
  'insured_phone',
  'phone_type',
  'effective_date',
  'house_number',
  'street',
  'city',
  'county',
  'state',
  'zipcode',
]);

/** Required keys of `fields` for homes, in the order of the reference. Additional keys pass through unchanged. */
export const quoteFields: readonly QuoteField[] = [
  textField('first_name', { description: 'Given name of the insured.', example: 'Dana' }),
  textField('last_name', { description: 'Family name of the insured.', example: 'Whitfield' }),
  formattedField('insured_email', {
    schema: {
      type: 'string',
      format: 'email',
      description: 'E-mail address of the insured.',
      examples: ['dana@example.com'],
    },
    expected: 'an e-mail address like dana@example.com',
    normalize: normalizeEmail,
  }),
  dateField('insured_date_of_birth', {
    description: 'Date of birth of the insured.',
    example: '1979-04-02',
    bounds: ({ today }) => ({ from: '1880-01-01', to: today }),
  }),
  formattedField('insured_phone', {
    schema: {
      type: 'string',
      pattern: '^((\\+?1[ .-]?)?\\(?[2-9][0-9]{2}\\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}|\\+[1-9][0-9]{6,14})$',
      description: 'Telephone number, reached in the United States. Stored as E.164.',
      examples: ['+18135550142'],
    },
    expected: 'a telephone number like 813-555-0142 or +18135550142',
    normalize: normalizePhone,
    fromInteger: String,
  }),
  optionField('phone_type', { description: 'Kind of telephone.', values: fieldOptions.phone_type }),
  dateField('effective_date', {
    description: 'First day of the policy.',
    example: '2026-12-01',
  }),
  integerField('dwelling_a', {
    description: 'Dwelling coverage A, in dollars.',
    example: 350_000,
    unit: 'dollars',
    bounds: () => ({ min: 1, max: 100_000_000 }),
  }),
  integerField('square_feet', {
    description: 'Living area, in square feet.',
    example: 1850,
    unit: 'square feet',
    bounds: () => ({ min: 1, max: 1_000_000 }),
  }),
  integerField('year_built', {
    description: 'Year in which the home was built, four digits.',
    example: 1998,
    unit: 'year',
    bounds: toNextYear,
  }),
  integerField('roof_year', {
    description: 'Year of the roof, four digits.',
    example: 2017,
    unit: 'year',
    bounds: toNextYear,
  }),
  textField('house_number', {
    description: 'House number, as in the address.',
    example: '1420',
    maxLength: 20,
    integers: true,
  }),
  textField('street', { description: 'Street, without the house number.', example: 'Larkspur Ave' }),
  textField('city', { description: 'City or town.', example: 'Ocala' }),
  textField('county', { description: 'County, without the word county.', example: 'Marion' }),
  checkedField('state', {
    schema: {
      type: 'string',
      pattern: statePattern,
      description: 'State name or its abbreviation. Stored as the abbreviation.',
      examples: ['FL'],
    },
    check(value) {
      const checked = checkState(value);
      return 'value' in checked ? { value: checked.value.code.toUpperCase() } : checked;
    },
  }),
  formattedField('zipcode', {
    schema: {
      type: 'string',
      pattern: '^[0-9]{5}(-[0-9]{4})?$',
      description: 'ZIP code of five or nine digits, leading zeros kept.',
      examples: ['34471'],
    },
    expected: 'a ZIP code of five or nine digits, as text',
    normalize: (text) => (/^\d{5}(-\d{4})?$/.test(text) ? text : undefined),
    // A number has lost leading zeros.
    fromInteger: (value) => String(value).padStart(5, '0'),
  }),
  optionField('ownership', { description: 'Owner of the home.', values: fieldOptions.ownership }),
  optionField('occupancy', { description: 'Occupants of the home.', values: fieldOptions.occupancy }),
  optionField('usage', { description: 'Use of the home.', values: fieldOptions.usage }),
  optionField('roof_option', {
    description: 'Roof covering.',
    values: fieldOptions.roof_option,
    spellings: {
      shingle: 'architectural shingle',
      'three tab shingle': '3-tab shingle',
      'tar & gravel': 'tar and gravel',
    },
  }),
  optionField('roof_shape', { description: 'Shape of the roof.', values: fieldOptions.roof_shape }),
  optionField('protection_class', {
    description: 'Public protection class, split classes included.',
    values: fieldOptions.protection_class,
    spellings: Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`0${index + 1}`, `${index + 1}`])),
    integers: true,
  }),
  optionField('construction_type_options', {
    description: 'Construction of the walls.',
    values: fieldOptions.construction_type_options,
    spellings: { 'fire resistive': 'fire resistive/superior', superior: 'fire resistive/superior' },
  }),
  optionField('dwelling_type', { description: 'Kind of dwelling.', values: fieldOptions.dwelling_type }),
];

/** The fields of every line. */
export const insuredFields: readonly QuoteField[] = quoteFields.filter(({ key }) => insuredKeys.has(key));
