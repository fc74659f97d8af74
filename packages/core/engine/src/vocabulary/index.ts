/** Kinds of fields, for authors of vocabularies and lines of business. */
export { ageFact } from './age-fact.ts';
export { type ChoiceFieldOptions, choiceField } from './choice-field.ts';
export { type DateFieldOptions, dateField } from './date-field.ts';
export { eventList } from './event-list.ts';
export { extendVocabulary, type VocabularyExtension } from './extend-vocabulary.ts';
export { createVocabulary } from './fact-index.ts';
export type {
  Change,
  DerivedFact,
  Domain,
  DomainContext,
  Fallback,
  Field,
  FieldOf,
  RangeForm,
  Relation,
  SetMember,
  Usual,
  ValueForm,
} from './field.ts';
export {
  type FieldFile,
  fieldFileJsonSchema,
  fieldFileSchema,
  fieldUnits,
  originOf,
  type ReadFieldFile,
  readFieldFile,
} from './field-file.ts';
export { type FlagFieldOptions, flagField } from './flag-field.ts';
export { labelOf, writeCounty, writeValue } from './labels.ts';
export type { CountedBy, ItemField, ListField } from './list-field.ts';
export { decimalField, integerField, type NumberFieldOptions } from './number-field.ts';
export type { FlagTerm, NumberTerm, OfferTerm, WordTerm } from './offer-term.ts';
export { type RequestField, type RequestItemField, requestFieldsOf } from './request-fields.ts';
export { type SetFieldOptions, setField } from './set-field.ts';
export { shoreDistances } from './shore-distances.ts';
export { ageOrYearField, type YearFieldOptions, yearField } from './year-field.ts';
export { type ZipcodeFieldOptions, zipcodeField } from './zipcode-field.ts';
