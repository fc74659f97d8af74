import { canonicalJson, isObject, type JsonObject, type Micros, own, unknownKeyFaults } from '@leeward/terms';
import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { PlannedRate, QuoteRequest, SkippedRate } from '../request/check-quote-request.ts';
import { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';

/** A quote that is made again with changes: what there is of it. */
export interface EarlierQuote {
  readonly quote: StoredQuote;
  readonly fields: JsonObject;
  /** Those that count: without the ones that a retry replaced. */
  readonly rates: readonly StoredRate[];
}

/** What of a new quote is asked, what is taken over from the earlier one, and what is left to it. */
export interface RequotePlan {
  readonly asked: readonly PlannedRate[];
  readonly carried: readonly StoredRate[];
  readonly skipped: readonly (SkippedRate | (Omit<SkippedRate, 'code'> & { readonly code: 'in_progress' }))[];
}

const bodyKeys = ['assigned_producer_email', 'form_types', 'carrier_keys', 'fields'];
/** An answer that names no end is taken over for so long. */
const MAX_CARRIED_MICROS = 30 * 86_400_000_000;

/**
 * The request of a new quote: the earlier one's with the changes of `body`. `fields` are changed key by key, null takes one
 * away; what else is given takes the place of what it was.
 *
 * @throws {InvalidQuoteRequestError} for what is no change of a quote.
 */
export function changedRequest(
  earlier: EarlierQuote,
  body: unknown,
  stillAsked: (carrierKey: string) => boolean,
): object {
  const given = body ?? {};
  if (!isObject(given)) throw refusal('', 'invalid_type', 'The request is no JSON object; give what is to change.');
  const keys = Object.keys(given).filter((key) => !bodyKeys.includes(key) && !key.startsWith('x_'));
  const { faults } = unknownKeyFaults([{ path: [], keys, allowed: bodyKeys }]);
  if (faults.length > 0) throw new InvalidQuoteRequestError(faults);
  const changes = own(given, 'fields') ?? {};
  if (!isObject(changes))
    throw refusal('/fields', 'invalid_type', 'fields is no JSON object; give the fields that change.');
  const { quote, fields, rates } = earlier;
  const merged = Object.entries({ ...fields, ...changes }).filter(([, value]) => value !== null);
  const all = [...rates, ...quote.skipped];
  const carriers = [...new Set(all.map(({ carrierKey }) => carrierKey))];
  const left = carriers.filter(stillAsked);
  return {
    product_code: quote.productCode,
    assigned_producer_email: own(given, 'assigned_producer_email') ?? quote.producerEmail,
    form_types: own(given, 'form_types') ?? [...new Set(all.map(({ formType }) => formType))],
    // Of nobody that is left, those that were asked: the fault names them.
    carrier_keys: own(given, 'carrier_keys') ?? (left.length > 0 ? left : carriers),
    fields: Object.fromEntries(merged),
  };
}

/** Which rates of a checked request are to be asked, where the earlier quote has answers to the same question. */
export function planRequote(
  earlier: EarlierQuote,
  request: QuoteRequest,
  catalog: CarrierCatalog,
  now: Micros,
): RequotePlan {
  const asked: PlannedRate[] = [];
  const carried: StoredRate[] = [];
  const skipped: RequotePlan['skipped'][number][] = [...request.skipped];
  const before = new Map(earlier.rates.map((rate) => [keyOf(rate), rate]));
  for (const planned of request.rates) {
    const rate = before.get(keyOf(planned));
    const wanted = catalog.get(planned.carrierKey)?.adapter.fieldsAsked;
    if (rate === undefined || !isSame(earlier, request, wanted)) asked.push(planned);
    else if (rate.finishedAt === undefined) {
      // Asked a second time, the carrier would be at two answers to one question.
      skipped.push({ carrierKey: planned.carrierKey, formType: planned.formType, code: 'in_progress' });
    } else if (rate.outcome !== 'cancelled' && !rate.retryable && isValid(rate, now)) carried.push(rate);
    else asked.push(planned);
  }
  return { asked, carried, skipped };
}

function keyOf({ carrierKey, formType }: Pick<PlannedRate, 'carrierKey' | 'formType'>): string {
  return `${carrierKey} ${formType}`;
}

function isSame(
  { quote, fields }: EarlierQuote,
  request: QuoteRequest,
  wanted: readonly string[] | undefined,
): boolean {
  if (request.producerEmail !== quote.producerEmail || request.effectiveDate !== quote.effectiveDate) return false;
  return canonicalJson(some(fields, wanted)) === canonicalJson(some(request.fields, wanted));
}

function some(fields: JsonObject, wanted: readonly string[] | undefined): JsonObject {
  if (wanted === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => wanted.includes(key)));
}

function isValid({ answer, finishedAt }: StoredRate, now: Micros): boolean {
  return (answer?.expiresAt ?? (finishedAt ?? 0) + MAX_CARRIED_MICROS) > now;
}

function refusal(path: string, code: string, message: string): InvalidQuoteRequestError {
  return new InvalidQuoteRequestError([{ path, code, message }]);
}
