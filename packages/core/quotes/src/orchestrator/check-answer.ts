import { createHash } from 'node:crypto';
import { isObject, type JsonObject, MAX_PREMIUM_CENTS, parseMicros } from '@leeward/terms';
import {
  type AmountLine,
  type AnswerOutcome,
  type CarrierAdapter,
  type CarrierAnswer,
  type CarrierDocument,
  type CarrierMessage,
  type OpenRequirement,
  type PendingTerms,
  rateTypes,
} from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import { mediaTypeOf } from '../ports/media-type.ts';
import type { StoredAnswer, StoredDocument } from '../store/stored-answer.ts';
import { type Decision, endWithError, type Wait } from './decide.ts';

type EndOutcome = Exclude<AnswerOutcome, 'pending'>;
const endOutcomes: readonly EndOutcome[] = ['quoted', 'referred', 'declined', 'ineligible', 'needs_information'];
const MAX_TEXT_LENGTH = 2000;
const MAX_LINES = 100;

/**
 * An adapter's answer as it is stored. Strict where money is concerned, lenient in what surrounds it: a link that is
 * none, or a message without text, is left out.
 *
 * @throws {CarrierFault} of the kind `invalid` when it is no answer.
 * @example
 * checkAnswer(await adapter.quote(exampleRequest, exampleCall), adapter);
 */
export function checkAnswer(answer: CarrierAnswer, able: Abilities): Decision & { kind: 'end' | 'pending' } {
  if (!isObject(answer)) throw nonsense('no_answer', 'The carrier answered nothing.');
  const { outcome: said, premiumCents } = answer as CarrierAnswer;
  if (said === 'pending') {
    return { kind: 'pending', wait: checkTerms((answer as CarrierAnswer).pending ?? {}, able), reason: 'pending' };
  }
  const outcome = endOutcomes.find((each) => each === said);
  if (outcome === undefined) throw nonsense('unknown_outcome', 'The carrier answered with an unknown outcome.');
  if (premiumCents !== undefined && typeof premiumCents !== 'bigint') {
    throw nonsense('invalid_premium', 'The carrier answered with a premium that is no amount.');
  }
  if (premiumCents !== undefined && (premiumCents <= 0n || premiumCents > MAX_PREMIUM_CENTS)) {
    throw nonsense('invalid_premium', 'The carrier answered with a premium that cannot be.');
  }
  if (outcome === 'quoted' && premiumCents === undefined) {
    throw nonsense('missing_premium', 'The carrier answered with a quote but no premium.');
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

/** How what follows a referral is waited for. Later looks that bring the same referral are known by its digest. */
function followOf(answer: CarrierAnswer, able: Abilities): Wait {
  const { pending, ...content } = answer;
  return { ...checkTerms(pending!, able), answered: digestOf(content) };
}

function digestOf(content: object): string {
  const text = JSON.stringify(content, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
  return createHash('sha256').update(text).digest('base64url');
}

/** Premiums are compared with each other: all of them are dollars for a year. */
function checkBasis({ currency = 'USD', termMonths = 12 }: CarrierAnswer): void {
  if (currency !== 'USD') {
    const said = text(currency, 10) ?? 'an unknown currency';
    throw nonsense('other_currency', `The carrier answered with a premium in ${said}; premiums are compared in USD.`);
  }
  if (termMonths !== 12) {
    const message = `The carrier answered with a premium for ${Number(termMonths)} months; premiums are compared by the year.`;
    throw nonsense('other_term', message);
  }
}

/** What the adapter can do later about its answer. */
export type Abilities = Pick<CarrierAdapter, 'resume' | 'verifyCallback' | 'openDocument'>;

const MAX_KEPT_LENGTH = 16_384;
const MAX_REFERENCE_LENGTH = 500;
/** Where an adapter that can look says neither when nor what callbacks call it. */
const USUAL_LOOK_MS = 60_000;

function checkTerms(terms: PendingTerms, { resume, verifyCallback }: Abilities): Wait {
  if (!isObject(terms))
    throw nonsense('invalid_wait', 'The carrier answers later, and how it is waited for is not said.');
  const { keep = {}, lookAfterMs, reference } = terms as PendingTerms;
  if (!isObject(keep) || JSON.stringify(keep).length > MAX_KEPT_LENGTH) {
    throw nonsense(
      'invalid_wait',
      `What is to be kept while the carrier is waited for is no object of up to ${MAX_KEPT_LENGTH} characters.`,
    );
  }
  if (
    reference !== undefined &&
    (typeof reference !== 'string' || reference === '' || reference.length > MAX_REFERENCE_LENGTH)
  ) {
    throw nonsense('invalid_wait', 'The reference of a pending answer is no text of 1 to 500 characters.');
  }
  if (lookAfterMs !== undefined && !(lookAfterMs >= 0)) {
    throw nonsense('invalid_wait', 'The time until the next look at a pending answer is no number.');
  }
  const called = reference !== undefined && verifyCallback !== undefined;
  if (resume === undefined && !called) {
    throw nonsense('cannot_wait', 'The carrier answers later, and its adapter can neither look nor be called back.');
  }
  const delayMs = resume === undefined ? undefined : (lookAfterMs ?? (called ? undefined : USUAL_LOOK_MS));
  return { keep: keep as JsonObject, failures: 0, delayMs, reference };
}

function nonsense(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'invalid', code });
}

function toStored(answer: CarrierAnswer, outcome: EndOutcome, able: Abilities): StoredAnswer {
  const priced = outcome === 'quoted' || outcome === 'referred';
  const { expiresAt, rateType } = answer;
  const worth = rateTypes.find((each) => each === rateType) ?? 'indication';
  return {
    carrierQuoteNumber: text(answer.carrierQuoteNumber),
    carrierQuoteUrl: link(answer.carrierQuoteUrl),
    bridgeUrl: link(answer.bridgeUrl),
    messages: list(answer.messages, message),
    coverages: list(answer.coverages, line),
    deductibles: list(answer.deductibles, line),
    fees: list(answer.fees, line),
    expiresAt: typeof expiresAt === 'string' ? parseMicros(expiresAt) : undefined,
    rateType: priced ? worth : undefined,
    subjectTo: priced ? list(answer.subjectTo, requirement) : undefined,
    documents: documents(answer.documents, able),
  };
}

function text(value: unknown, maxLength = MAX_TEXT_LENGTH): string | undefined {
  if (typeof value !== 'string') return undefined;
  const cut = value.trim().slice(0, maxLength).toWellFormed();
  return cut === '' ? undefined : cut;
}

/** Only what a browser may safely follow. */
function link(value: unknown, maxLength = MAX_TEXT_LENGTH): string | undefined {
  const address = text(value, maxLength);
  if (address === undefined || !URL.canParse(address)) return undefined;
  return /^https?:$/.test(new URL(address).protocol) ? address : undefined;
}

function list<Item>(value: unknown, read: (item: unknown) => Item | undefined): Item[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items = value.slice(0, MAX_LINES).map(read);
  const kept = items.filter((item) => item !== undefined);
  return kept.length === 0 ? undefined : kept;
}

function message(item: unknown): CarrierMessage | undefined {
  if (!isObject(item)) return undefined;
  const said = text(item['message']);
  if (said === undefined) return undefined;
  const level = item['level'];
  return {
    level: level === 'error' || level === 'warning' ? level : 'info',
    code: text(item['code'], 100) ?? 'carrier_message',
    message: said,
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
  const amountCents = item['amountCents'];
  const code = text(item['code'], 100);
  if (code === undefined || typeof amountCents !== 'bigint') return undefined;
  if (amountCents < -MAX_AMOUNT_CENTS || amountCents > MAX_AMOUNT_CENTS) return undefined;
  return { code, name: text(item['name'], 200) ?? code, amountCents };
}

const MAX_ADDRESS_LENGTH = 8000;
const MAX_DOCUMENT_KEPT_LENGTH = 4096;

/** Those that can be opened some day, each under an id of its own. */
function documents(value: unknown, { openDocument }: Abilities): StoredDocument[] | undefined {
  const ids = new Set<string>();
  let place = 0;
  return list(value, (item) => {
    place++;
    if (!isObject(item)) return undefined;
    const { id: given, mediaType, url, keep } = item as Partial<CarrierDocument>;
    const title = text(item['title'], 200);
    const id = given === undefined ? String(place) : given;
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

/** A coverage of a hundred million dollars, and a little more. */
const MAX_AMOUNT_CENTS = 10n ** 12n;

/** What becomes of a rate that has an answer, sense or nonsense. */
export function decideAfterAnswer(answer: CarrierAnswer, able: Abilities): Decision & { kind: 'end' | 'pending' } {
  try {
    return checkAnswer(answer, able);
  } catch (error) {
    const fault =
      error instanceof CarrierFault ? error : { code: 'unreadable_answer', message: 'The answer cannot be read.' };
    return endWithError('invalid', { code: fault.code, message: fault.message }, false, true);
  }
}
