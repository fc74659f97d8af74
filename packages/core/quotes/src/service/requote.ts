import { canonicalJson, isObject, type JsonObject, type Micros, own, unknownKeyFaults } from '@leeward/terms';
import { dependsOnOthersCode } from '../carriers/with-verdict.ts';
import type { CarrierCatalog } from '../catalog/carrier-catalog.ts';
import type { PlannedRate, QuoteRequest, SkippedRate } from '../request/check-quote-request.ts';
import { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import { requestedCoveragesKey } from '../request/requested-coverages.ts';
import type { StoredQuote, StoredRate } from '../store/read-quotes.ts';

export interface RequotedQuote {
  readonly quote: StoredQuote;
  readonly fields: JsonObject;
  readonly rates: readonly StoredRate[];
}

export interface RequotePlan {
  readonly calls: readonly PlannedRate[];
  readonly carried: readonly StoredRate[];
  readonly skipped: readonly (SkippedRate | (Omit<SkippedRate, 'code'> & { readonly code: 'in_progress' }))[];
}

const bodyKeys = ['assigned_producer_email', 'form_types', 'carrier_keys', 'priority', 'fields'];
const DEFAULT_VALIDITY_MICROS = 30 * 86_400_000_000;

/**
 * `fields` change key by key, and null removes one; other keys replace the earlier value. @throws {InvalidQuoteRequestError} if the body
 * is malformed.
 */
export function changedRequest(
  earlier: RequotedQuote,
  body: unknown,
  isCallable: (carrierKey: string) => boolean,
): object {
  const changes = body ?? {};
  if (!isObject(changes)) {
    throw refusal('', 'invalid_type', 'The request is not a JSON object; give the values to change.');
  }
  const keys = Object.keys(changes).filter((key) => !bodyKeys.includes(key) && !key.startsWith('x_'));
  const { faults } = unknownKeyFaults([{ path: [], keys, allowed: bodyKeys }]);
  if (faults.length > 0) throw new InvalidQuoteRequestError(faults);
  const fieldChanges = own(changes, 'fields') ?? {};
  if (!isObject(fieldChanges)) {
    throw refusal('/fields', 'invalid_type', 'fields is not a JSON object; give the fields to change.');
  }
  const { quote, fields, rates } = earlier;
  const options = own(fieldChanges, requestedCoveragesKey);
  const optionChanges = isObject(options)
    ? { [requestedCoveragesKey]: withChanges(fields[requestedCoveragesKey], options) }
    : {};
  const merged = Object.entries({ ...fields, ...fieldChanges, ...optionChanges }).filter(([, value]) => value !== null);
  const all = [...rates, ...quote.skipped];
  const carriers = [...new Set(all.map(({ carrierKey }) => carrierKey))];
  const callable = carriers.filter(isCallable);
  return {
    product_code: quote.productCode,
    assigned_producer_email: own(changes, 'assigned_producer_email') ?? quote.producerEmail,
    form_types: own(changes, 'form_types') ?? [...new Set(all.map(({ formType }) => formType))],
    // If none is callable, list all: the check names them in its fault.
    carrier_keys: own(changes, 'carrier_keys') ?? (callable.length > 0 ? callable : carriers),
    priority: own(changes, 'priority') ?? rates[0]?.priority,
    fields: Object.fromEntries(merged),
  };
}

/** Requested coverages change one by one too. */
function withChanges(earlier: unknown, changes: object): object {
  const all = Object.entries({ ...(isObject(earlier) ? earlier : {}), ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

/** Carries over an answer to the same question while it is valid. */
export function planRequote(
  earlier: RequotedQuote,
  request: QuoteRequest,
  catalog: CarrierCatalog,
  now: Micros,
): RequotePlan {
  const calls: PlannedRate[] = [];
  const valid: { readonly planned: PlannedRate; readonly rate: StoredRate }[] = [];
  const skipped: RequotePlan['skipped'][number][] = [...request.skipped];
  const earlierRates = new Map(earlier.rates.map((rate) => [keyOf(rate), rate]));
  for (const planned of request.rates) {
    const rate = earlierRates.get(keyOf(planned));
    const usedFields = catalog.get(planned.carrierKey)?.adapter.fieldsUsed;
    if (rate === undefined || !isSameQuestion(earlier, request, usedFields)) calls.push(planned);
    else if (rate.finishedAt === undefined) {
      // A second call would repeat it.
      skipped.push({ carrierKey: planned.carrierKey, formType: planned.formType, code: 'in_progress' });
    } else if (rate.outcome !== 'cancelled' && !rate.retryable && isValid(rate, now)) valid.push({ planned, rate });
    else calls.push(planned);
  }
  // New rates of other carriers can change such an answer.
  const isOutdated = ({ rate }: { readonly rate: StoredRate }) => calls.length > 0 && dependsOnOthers(rate);
  const [outdated, carried] = [valid.filter(isOutdated), valid.filter((each) => !isOutdated(each))];
  calls.push(...outdated.map(({ planned }) => planned));
  return { calls, carried: carried.map(({ rate }) => rate), skipped };
}

function dependsOnOthers({ answer }: StoredRate): boolean {
  return answer?.messages?.some(({ code }) => code === dependsOnOthersCode) ?? false;
}

function keyOf({ carrierKey, formType }: Pick<PlannedRate, 'carrierKey' | 'formType'>): string {
  return `${carrierKey} ${formType}`;
}

function isSameQuestion(
  { quote, fields }: RequotedQuote,
  request: QuoteRequest,
  usedFields: readonly string[] | undefined,
): boolean {
  if (request.producerEmail !== quote.producerEmail || request.effectiveDate !== quote.effectiveDate) return false;
  return canonicalJson(pick(fields, usedFields)) === canonicalJson(pick(request.fields, usedFields));
}

function pick(fields: JsonObject, keys: readonly string[] | undefined): JsonObject {
  if (keys === undefined) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key)));
}

function isValid({ answer, finishedAt }: StoredRate, now: Micros): boolean {
  return (answer?.expiresAt ?? (finishedAt ?? 0) + DEFAULT_VALIDITY_MICROS) > now;
}

function refusal(path: string, code: string, message: string): InvalidQuoteRequestError {
  return new InvalidQuoteRequestError([{ path, code, message }]);
}
