export {
  type Checked,
  describeValue,
  type Fault,
  pointer,
  quoteValue,
  type Refusal,
  type Warning,
} from './fault/fault.ts';
export { type FormType, findFormType, formTypeSpellings, formTypes } from './form-type/form-types.ts';
export { findProduct, type Product, type ProductCode, productOf, products } from './form-type/products.ts';
export { homeSales, type SoldLine, type SoldLines, soldLines } from './form-type/sold-lines.ts';
export {
  arrayOf,
  canonicalJson,
  exceedsDepth,
  isBlank,
  isGiven,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  valueAtPointer,
} from './json/json.ts';
export {
  describeJsonFault,
  findJsonFault,
  findUtf8Fault,
  type JsonFault,
  placeInText,
  type TextPlace,
} from './json/json-fault.ts';
export { MAX_JSON_BYTES, MAX_JSON_DEPTH, measureJson } from './json/measure-json.ts';
export { type Cents, formatCents, MAX_PREMIUM_CENTS, parseCents } from './money/cents.ts';
export { digitsPattern } from './number/digits-pattern.ts';
export { METERS_PER_FOOT, METERS_PER_MILE } from './number/units.ts';
export {
  type NumberStyle,
  numberStyles,
  readWrittenNumber,
  type WrittenNumberOptions,
} from './number/written-number.ts';
export {
  footprintSchema,
  type GeoJsonFootprint,
  MAX_RADIUS_METERS,
  polygonsOf,
} from './place/footprint.ts';
export { acrossFields, type FieldRules } from './schema/across-fields.ts';
export { type CheckedRequest, checkRequest } from './schema/check-request.ts';
export { IDEMPOTENCY_HOURS, idempotencyKeyFault } from './schema/idempotency-key.ts';
export { type IssueOptions, issueFaults } from './schema/issue-faults.ts';
export { neverEmpty } from './schema/never-empty.ts';
export { type UnknownKeyFaults, type UnknownKeys, unknownKeyFaults } from './schema/unknown-keys.ts';
export { withoutBlanks } from './schema/without-blanks.ts';
export { schemaKeysAt, withoutEval } from './schema/zod-schema.ts';
export { fold } from './spelling/fold.ts';
export {
  createSuggestionBudget,
  didYouMean,
  type SuggestionBudget,
  suggest,
  withSuggestions,
} from './spelling/suggest.ts';
export {
  checkDate,
  checkInstant,
  type DateBounds,
  dateInZone,
  formatInstant,
  formatMicros,
  type Instant,
  instantOf,
  isCalendarDate,
  MICROS_PER_MS,
  type Micros,
  parseMicros,
  readInstant,
  timePatterns,
} from './time/instant.ts';
export { orAborted } from './time/or-aborted.ts';
export { type DateStyle, dateStyles, readWrittenDate } from './time/written-date.ts';
export { type CodeKind, capitalized, codeWords, wordOf, writeDataset, writeWord } from './words/code-words.ts';
export {
  type QuantityOptions,
  unitFor,
  writeLength,
  writeLimits,
  writeQuantity,
  writeRange,
} from './words/write-quantity.ts';
export { writeTime } from './words/write-time.ts';
