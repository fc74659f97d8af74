import { createHash } from 'node:crypto';
import { isObject, type JsonObject, MAX_PREMIUM_CENTS, parseMicros } from '@leeward/terms';
import {
  type AmountLine,
  type CarrierAdapter,
  type CarrierAnswer,
  type CarrierDocument,
  type CarrierMessage,
  inclusions,
  type OpenRequirement,
  type PendingTerms,
  rateTypes,
  settlements,
} from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { mediaTypeOf } from '../ports/media-type.ts';
import type { AnswerOutcome } from '../ports/outcome.ts';
import { percentOf } from '../ports/percent-of.ts';
import type { StoredAnswer, StoredDocument } from '../store/stored-answer.ts';
import { type Decision, endWithError, type Wait } from './decide.ts';

type EndOutcome = Exclude<AnswerOutcome, 'pending'>;
const endOutcomes: readonly EndOutcome[] = ['quoted', 'referred', 'declined', 'ineligible', 'needs_information'];
const MAX_TEXT_LENGTH = 2000;
const MAX_LINES = 100;

/**
 * Checks an adapter's answer and converts it for the store. Strict about money; drops invalid links and messages without text. @throws
 * {CarrierFault} of kind `invalid`.
 * @example
 * checkAnswer(await adapter.quote(exampleRequest, exampleCall), adapter);
 */
export function checkAnswer(answer: CarrierAnswer, able: Abilities): Decision & { kind: 'end' | 'pending' } {
  if (!isObject(answer)) throw invalidAnswer('no_answer', 'The carrier returned no answer.');
  const { outcome: outcomeText, premiumCents } = answer as CarrierAnswer;
  if (outcomeText === 'pending') {
    return { kind: 'pending', wait: checkTerms((answer as CarrierAnswer).pending ?? {}, able), reason: 'pending' };
  }
  const outcome = endOutcomes.find((each) => each === outcomeText);
  if (outcome === undefined) throw invalidAnswer('unknown_outcome', 'The carrier answered with an unknown outcome.');
  if (premiumCents !== undefined && typeof premiumCents !== 'bigint') {
    throw invalidAnswer('invalid_premium', 'The carrier answered with a premium that is not an amount.');
  }
  if (premiumCents !== undefined && (premiumCents <= 0n || premiumCents > MAX_PREMIUM_CENTS)) {
    throw invalidAnswer('invalid_premium', 'The carrier answered with an impossible premium.');
  }
  if (outcome === 'quoted' && premiumCents === undefined) {
    throw invalidAnswer('missing_premium', 'The carrier answered with a quote but no premium.');
  }
  if (premiumCents !== undefined) checkBasis(answer as CarrierAnswer);
  const keepsPremium = outcome === 'quoted' || outcome === 'referred';
  return {
    kind: 'end',
    outcome,
    premiumCents: keepsPremium ? premiumCents : undefined,
    answer: toStored(answer as CarrierAnswer, outcome, able),
    retryable: false,
    follow: outcome === 'referred' && answer.pending != null ? followOf(answer, able) : undefined,
  };
}

/** The digest identifies the same referral in later polls. */
function followOf(answer: CarrierAnswer, able: Abilities): Wait {
  const { pending, ...content } = answer;
  return { ...checkTerms(pending!, able), answered: digestOf(content) };
}

function digestOf(content: object): string {
  const text = JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('base64url');
}

/** Premiums are compared: all must be in dollars for one year. */
function checkBasis({ currency = 'USD', termMonths = 12 }: CarrierAnswer): void {
  if (currency !== 'USD') {
    const name = text(currency, 10) ?? 'an unknown currency';
    throw invalidAnswer(
      'other_currency',
      `The carrier answered with a premium in ${name}; premiums are compared in USD.`,
    );
  }
  if (termMonths !== 12) {
    const message = `The carrier answered with a premium for ${Number(termMonths)} months; premiums are compared by the year.`;
    throw invalidAnswer('other_term', message);
  }
}

export type Abilities = Pick<CarrierAdapter, 'resume' | 'verifyCallback' | 'openDocument'>;

const MAX_KEPT_LENGTH = 16_384;
const MAX_REFERENCE_LENGTH = 500;
/** For an adapter that returned neither a delay nor a callback reference. */
const DEFAULT_POLL_MS = 60_000;

function checkTerms(terms: PendingTerms, { resume, verifyCallback }: Abilities): Wait {
  if (!isObject(terms))
    throw invalidAnswer('invalid_wait', 'The carrier answers later, but the terms of waiting are missing.');
  const { keep = {}, pollAfterMs, reference } = terms as PendingTerms;
  if (!isObject(keep) || JSON.stringify(keep).length > MAX_KEPT_LENGTH) {
    throw invalidAnswer(
      'invalid_wait',
      `The state to keep for a pending answer must be an object of at most ${MAX_KEPT_LENGTH} characters.`,
    );
  }
  if (
    reference !== undefined &&
    (typeof reference !== 'string' || reference === '' || reference.length > MAX_REFERENCE_LENGTH)
  ) {
    throw invalidAnswer(
      'invalid_wait',
      `The reference of a pending answer must be text of 1 to ${MAX_REFERENCE_LENGTH} characters.`,
    );
  }
  if (pollAfterMs !== undefined && !(pollAfterMs >= 0)) {
    throw invalidAnswer('invalid_wait', 'The delay until the next poll must be a number that is not negative.');
  }
  const hasCallback = reference !== undefined && verifyCallback !== undefined;
  if (resume === undefined && !hasCallback) {
    throw invalidAnswer(
      'cannot_wait',
      'The carrier answers later, and its adapter supports neither polling nor callbacks.',
    );
  }
  const delayMs = resume === undefined ? undefined : (pollAfterMs ?? (hasCallback ? undefined : DEFAULT_POLL_MS));
  return { keep: keep as JsonObject, failures: 0, delayMs, reference };
}

function invalidAnswer(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'invalid', code });
}

function toStored(answer: CarrierAnswer, outcome: EndOutcome, able: Abilities): StoredAnswer {
  const priced = outcome === 'quoted' || outcome === 'referred';
  const { expiresAt, rateType } = answer;
  const validType = rateTypes.find((each) => each === rateType) ?? 'indication';
  const coverages = list(answer.coverages, line);
  const withAmounts = (lines: AmountLine[] | undefined) => lines?.map((each) => withAmount(each, coverages ?? []));
  return {
    carrierQuoteNumber: text(answer.carrierQuoteNumber),
    carrierQuoteUrl: link(answer.carrierQuoteUrl),
    bridgeUrl: link(answer.bridgeUrl),
    messages: list(answer.messages, message),
    coverages: withAmounts(coverages),
    deductibles: withAmounts(list(answer.deductibles, line)),
    endorsements: withAmounts(list(answer.endorsements, line)),
    fees: list(answer.fees, fee),
    constraints: priced && answer.constraints?.length ? answer.constraints : undefined,
    expiresAt: typeof expiresAt === 'string' ? parseMicros(expiresAt) : undefined,
    rateType: priced ? validType : undefined,
    subjectTo: priced ? list(answer.subjectTo, requirement) : undefined,
    documents: documents(answer.documents, able),
  };
}

function text(value: unknown, maxLength = MAX_TEXT_LENGTH): string | undefined {
  if (typeof value !== 'string') return undefined;
  const cut = value.trim().slice(0, maxLength).toWellFormed();
  return cut === '' ? undefined : cut;
}

function link(value: unknown, maxLength = MAX_TEXT_LENGTH): string | undefined {
  const address = text(value, maxLength);
  if (address === undefined || !URL.canParse(address)) return undefined;
  return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
}

function list<Item>(value: unknown, read: (item: unknown) => Item | undefined): Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.slice(0, MAX_LINES).map(read);
  const valid = items.filter((item) => item !== undefined);
  return valid.length === 0 ? undefined : valid;
}

function message(item: unknown): CarrierMessage | undefined {
  if (!isObject(item)) return undefined;
  const content = text(item['message']);
  if (content === undefined) return undefined;
  const level = item['level'];
  return {
    level: level === 'error' || level === 'warning' ? level : 'info',
    code: text(item['code'], 100) ?? 'carrier_message',
    message: content,
    field: text(item['field'], 100) ?? null,
  };
}

function requirement(item: unknown): OpenRequirement | undefined {
  if (!isObject(item)) return undefined;
  const code = text(item['code'], 100);
  return code === undefined ? undefined : { code, message: text(item['message']) ?? code };
}

function line(item: unknown): AmountLine | undefined {
  if (!isObject(item)) return undefined;
  const { amountCents, percent } = item;
  const code = text(item['code'], 100);
  if (code === undefined) return undefined;
  const isAmount =
    typeof amountCents === 'bigint' && amountCents >= -MAX_AMOUNT_CENTS && amountCents <= MAX_AMOUNT_CENTS;
  const isPercent = typeof percent === 'number' && percent >= 0 && percent <= MAX_PERCENT;
  const inclusion = inclusions.find((each) => each === item['inclusion']);
  const settlement = settlements.find((each) => each === item['settlement']);
  if ((amountCents !== undefined && !isAmount) || (percent !== undefined && !isPercent)) return undefined;
  if (!isAmount && !isPercent && inclusion === undefined && settlement === undefined) return undefined;
  return {
    ...{ code, name: text(item['name'], 200) ?? code },
    ...(isAmount && { amountCents }),
    ...(isPercent && { percent, percentOf: text(item['percentOf'], 100) ?? 'dwelling' }),
    ...(inclusion && { inclusion }),
    ...(settlement && { settlement }),
  };
}

function fee(item: unknown): AmountLine | undefined {
  const read = line(item);
  return read?.amountCents === undefined ? undefined : read;
}

/** Computes the amount of a percentage of a listed coverage. */
function withAmount(each: AmountLine, coverages: readonly AmountLine[]): AmountLine {
  const base = coverages.find(({ code }) => code === each.percentOf)?.amountCents;
  if (each.amountCents !== undefined || each.percent === undefined || base === undefined) return each;
  return { ...each, amountCents: percentOf(each.percent, base) };
}

const MAX_ADDRESS_LENGTH = 8000;
const MAX_DOCUMENT_KEPT_LENGTH = 4096;

/** Drops documents that cannot be opened. The default id is the position. */
function documents(value: unknown, { openDocument }: Abilities): StoredDocument[] | undefined {
  const ids = new Set<string>();
  let position = 0;
  return list(value, (item) => {
    position++;
    if (!isObject(item)) return undefined;
    const { id: ownId, mediaType, url, keep } = item as Partial<CarrierDocument>;
    const title = text(item['title'], 200);
    const id = ownId === undefined ? String(position) : ownId;
    if (title === undefined || typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id) || ids.has(id)) return undefined;
    const reference = {
      ...(typeof url === 'string' && url.length <= MAX_ADDRESS_LENGTH && link(url, MAX_ADDRESS_LENGTH) && { url }),
      ...(isObject(keep) && JSON.stringify(keep).length <= MAX_DOCUMENT_KEPT_LENGTH && { keep: keep as JsonObject }),
    };
    if (reference.url === undefined && (reference.keep === undefined || openDocument === undefined)) return undefined;
    ids.add(id);
    return { id, title, mediaType: mediaTypeOf(mediaType) ?? 'application/octet-stream', reference };
  });
}

const MAX_PERCENT = 1000;
/** $10 billion. */
const MAX_AMOUNT_CENTS = 10n ** 12n;

export function decideAfterAnswer(answer: CarrierAnswer, able: Abilities): Decision & { kind: 'end' | 'pending' } {
  try {
    return checkAnswer(answer, able);
  } catch (error) {
    const fault =
      error instanceof CarrierFault ? error : { code: 'unreadable_answer', message: 'The answer cannot be read.' };
    return endWithError('invalid', { code: fault.code, message: fault.message }, false, true);
  }
}
