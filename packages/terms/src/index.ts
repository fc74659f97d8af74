export { describeValue, type Fault, pointer, quoteValue, type Warning } from './fault/fault.ts';
export { type FormType, findFormType, formTypeSpellings, formTypes } from './form-type/form-types.ts';
export { findProduct, type Product, type ProductCode, productOf, products } from './form-type/products.ts';
export {
  arrayOf,
  canonicalJson,
  exceedsDepth,
  isObject,
  type JsonObject,
  type JsonValue,
  own,
  valueAt,
  valueAtPointer,
} from './json/json.ts';
export { maxJsonBytes, maxJsonDepth, measureJson } from './json/measure-json.ts';
export { type Cents, formatCents, largestPremiumCents, parseCents } from './money/cents.ts';
export { fold } from './spelling/fold.ts';
export { didYouMean, suggest } from './spelling/suggest.ts';
export { dateInZone, isCalendarDate } from './time/calendar-date.ts';
export {
  formatMicros,
  type Instant,
  instantOf,
  instantText,
  type Micros,
  microsPerMs,
  parseMicros,
  readInstant,
} from './time/instant.ts';
