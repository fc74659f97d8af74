import type {
  AmountLine,
  AnswerOutcome,
  CarrierAnswer,
  CarrierDocument,
  CarrierMessage,
  OpenRequirement,
  RateType,
} from '@leeward/quotes';
import { CarrierFault } from '@leeward/quotes';
import { type Cents, formatMicros, isCalendarDate, parseCents, parseMicros, valueAtPointer } from '@leeward/terms';
import { readDate } from './dialect/convert.ts';
import { readBasis } from './premium-basis.ts';
import type { HttpResponseFile } from './schema.ts';

/** @param given Outcome by the HTTP status. @throws {CarrierFault} of kind `invalid` if required values are missing or wrong. */
export function mapResponse(
  body: unknown,
  file: HttpResponseFile,
  outcomeOfStatus: AnswerOutcome | undefined,
): CarrierAnswer {
  const at = (path: string | undefined) => (path === undefined ? undefined : valueAtPointer(body, path));
  const outcome = outcomeOfStatus ?? readOutcome(at(file.outcome?.path), file);
  if (outcome === 'pending') return { outcome };
  const priced = outcome === 'quoted' || outcome === 'referred';
  const premium = priced ? readPremium(at(file.premium), file, outcome) : undefined;
  if (premium !== undefined) checkExpected(body, file);
  const basis = premium === undefined ? undefined : readBasis(premium, body, file);
  const messages = readMessages(at(file.messages?.path), file);
  return {
    outcome,
    ...basis?.premium,
    carrierQuoteNumber: text(at(file.carrier_quote_number)),
    carrierQuoteUrl: text(at(file.carrier_quote_url)),
    bridgeUrl: text(at(file.bridge_url)),
    expiresAt: readInstant(at(file.expires_at), file.expires_format),
    rateType: priced ? readRateType(body, file) : undefined,
    documents: readDocuments(at(file.documents?.path), file),
    subjectTo: priced ? readSubjectTo(at(file.subject_to?.path), file) : undefined,
    messages: basis?.notes.length ? [...basis.notes, ...(messages ?? [])] : messages,
    coverages: readCoverages(at(file.coverages?.path), file.coverages, file),
    deductibles: readCoverages(at(file.deductibles?.path), file.deductibles, file),
    endorsements: readCoverages(at(file.endorsements?.path), file.endorsements, file),
    fees: readLines(at(file.fees?.path), file.fees, file),
  };
}

function readOutcome(value: unknown, file: HttpResponseFile): AnswerOutcome {
  if (file.outcome === undefined) return 'quoted';
  const { values } = file.outcome;
  const key = Object.keys(values).find((each) => each.toLowerCase() === String(value).toLowerCase());
  if (key === undefined && (value === undefined || value === null)) {
    throw lacking('no_outcome', 'The carrier answered without an outcome.');
  }
  if (key === undefined)
    throw invalid('unknown_outcome', 'The carrier answered with an outcome that its file does not list.');
  return values[key]!;
}

/** Unlisted types are undefined: an indication. */
function readRateType(body: unknown, { rate_type: worth }: HttpResponseFile): RateType | undefined {
  if (typeof worth !== 'object') return worth;
  const rateType = text(valueAtPointer(body, worth.path))?.toLowerCase();
  return Object.entries(worth.values).find(([name]) => name.toLowerCase() === rateType)?.[1];
}

function readDocuments(value: unknown, { documents }: HttpResponseFile): CarrierDocument[] | undefined {
  if (documents === undefined || !Array.isArray(value)) return undefined;
  return value.slice(0, 100).flatMap((entry) => {
    const at = (path: string | undefined) => (path === undefined ? undefined : text(valueAtPointer(entry, path)));
    const [title, url] = [at(documents.title), at(documents.url)];
    if (title === undefined || url === undefined) return [];
    return [{ title, url, mediaType: at(documents.media_type) ?? 'application/pdf' }];
  });
}

function readSubjectTo(value: unknown, { subject_to: open }: HttpResponseFile): OpenRequirement[] | undefined {
  if (open === undefined || value === undefined || value === null) return undefined;
  return listOf(value).flatMap((entry) => {
    const code = text(valueAtPointer(entry, open.code));
    if (code === undefined) return [];
    const mapped = ownCode(code, open.codes);
    return [{ code: mapped, message: (open.message && text(valueAtPointer(entry, open.message))) || mapped }];
  });
}

function readPremium(value: unknown, file: HttpResponseFile, outcome: AnswerOutcome): Cents | undefined {
  if (value === undefined || value === null) {
    if (outcome === 'referred') return undefined;
    // The premium is the only sign of a quote.
    if (file.outcome === undefined) throw lacking('missing_premium', 'The carrier answered without a premium.');
    throw invalid('missing_premium', 'The carrier answered with a quote but no premium.');
  }
  const cents = readAmount(value, file);
  if (cents === undefined)
    throw invalid('invalid_premium', 'The carrier answered with a premium that is not an amount.');
  return cents;
}

/** @throws {CarrierFault} for a value that the file does not expect. */
function checkExpected(body: unknown, { expect = [] }: HttpResponseFile): void {
  for (const { path, name, one_of } of expect) {
    const value = valueAtPointer(body, path);
    if (one_of.some((each) => String(each) === String(value))) continue;
    const stated = text(value) === undefined ? 'lacks its' : 'has another';
    throw invalid(
      'unexpected_value',
      `The carrier's answer ${stated} ${name}; its file expects ${one_of.join(' or ')}.`,
    );
  }
}

function readAmount(value: unknown, file: HttpResponseFile): Cents | undefined {
  return readExactAmount(value, file) ?? roundedAmount(value, file);
}

function roundedAmount(value: unknown, { rounding, premium_unit }: HttpResponseFile): Cents | undefined {
  const [, sign, whole, fraction] = /^(-?)(\d{1,15})\.(\d{1,20})$/.exec(text(value) ?? '') ?? [];
  if (rounding === undefined || whole === undefined || fraction === undefined) return undefined;
  const digits = premium_unit === 'cents' ? 0 : 2;
  const rest = fraction.slice(digits);
  const isUp = rounding === 'up' ? /[1-9]/.test(rest) : rounding === 'half_up' && /^[5-9]/.test(rest);
  const cents = BigInt(`${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`) + (isUp ? 1n : 0n);
  return sign === '-' ? -cents : cents;
}

function readExactAmount(value: unknown, file: HttpResponseFile): Cents | undefined {
  if (file.premium_unit !== 'cents') return parseCents(value) ?? wholeCents(value, 100);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim())) return BigInt(value.trim());
  return wholeCents(value, 1);
}

/** Distance, in cents, that counts as a floating-point artifact: 1843.5500000000002. */
const MAX_ARTIFACT_CENTS = 1e-5;

/** Undefined for other fractions. */
function wholeCents(value: unknown, centsPerUnit: number): Cents | undefined {
  const isText = typeof value === 'string' && /^-?\d{1,12}\.\d{3,20}$/.test(value.trim());
  if (typeof value !== 'number' && !isText) return undefined;
  const cents = Number(value) * centsPerUnit;
  const whole = Math.round(cents);
  if (!Number.isSafeInteger(whole) || Math.abs(cents - whole) > MAX_ARTIFACT_CENTS) return undefined;
  return BigInt(whole);
}

/** A date lasts until its end; an offset may lack its colon. */
function readInstant(value: unknown, format?: string): string | undefined {
  const written = text(value);
  const instantText = written === undefined || format === undefined ? written : readDate(written, format);
  if (instantText === undefined) return undefined;
  const micros = isCalendarDate(instantText)
    ? parseMicros(`${instantText}T23:59:59Z`)
    : parseMicros(instantText.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  return micros === undefined ? undefined : formatMicros(micros);
}

function readMessages(value: unknown, file: HttpResponseFile): CarrierMessage[] | undefined {
  const { messages } = file;
  if (messages === undefined || value === undefined || value === null) return undefined;
  return listOf(value).flatMap((entry) => {
    const at = (path: string | undefined) => (path === undefined ? undefined : text(valueAtPointer(entry, path)));
    const message = at(messages.message);
    if (message === undefined) return [];
    const level = at(messages.level)?.toLowerCase() ?? '';
    const mappedLevel = Object.entries(messages.levels ?? {}).find(([name]) => name.toLowerCase() === level)?.[1];
    const plain = level === 'error' || level === 'warning' ? level : 'info';
    const code = at(messages.code) ?? 'carrier_message';
    return [{ level: mappedLevel ?? plain, code, message, field: at(messages.field) ?? null }];
  });
}

function readLines(value: unknown, lines: HttpResponseFile['fees'], file: HttpResponseFile): AmountLine[] | undefined {
  if (lines === undefined || value === undefined || value === null) return undefined;
  return listOf(value).flatMap((entry) => {
    const code = text(valueAtPointer(entry, lines.code));
    const amountCents = readAmount(valueAtPointer(entry, lines.amount), file);
    if (code === undefined || amountCents === undefined) return [];
    const name = lines.name === undefined ? undefined : text(valueAtPointer(entry, lines.name));
    const mapped = ownCode(code, lines.codes);
    return [{ code: mapped, name: name ?? mapped, amountCents }];
  });
}

function readCoverages(
  value: unknown,
  lines: HttpResponseFile['coverages'],
  file: HttpResponseFile,
): AmountLine[] | undefined {
  if (lines === undefined || value === undefined || value === null) return undefined;
  return listOf(value).flatMap((entry) => {
    const at = (path: string | undefined) => (path === undefined ? undefined : valueAtPointer(entry, path));
    const code = text(at(lines.code));
    if (code === undefined) return [];
    const mapped = ownCode(code, lines.codes);
    const percent = /^(\d{1,3}(?:\.\d{1,4})?) ?%?$/.exec(text(at(lines.percent)) ?? '')?.[1];
    const percentOf = text(at(lines.percent_of));
    const values = {
      amountCents: readAmount(at(lines.amount), file),
      percent: percent === undefined ? undefined : Number(percent),
      inclusion: wordOf(at(lines.inclusion?.path), lines.inclusion?.values),
      settlement: wordOf(at(lines.settlement?.path), lines.settlement?.values),
    };
    if (Object.values(values).every((each) => each === undefined)) return [];
    const base = percentOf === undefined ? {} : { percentOf: ownCode(percentOf, lines.codes) };
    return [{ code: mapped, name: text(at(lines.name)) ?? mapped, ...values, ...base }];
  });
}

function wordOf<Word>(value: unknown, values: Readonly<Record<string, Word>> = {}): Word | undefined {
  const word = String(value).trim().toLowerCase();
  return Object.entries(values).find(([name]) => name.toLowerCase() === word)?.[1];
}

/** XML, and some JSON, writes a list of one as that entry. */
function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 100) : [value];
}

function ownCode(code: string, codes: Readonly<Record<string, string>> | undefined): string {
  return codes !== undefined && Object.hasOwn(codes, code) ? codes[code]! : code;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** For example a page of the carrier's gateway. */
function lacking(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'unreadable', code });
}

function invalid(code: string, message: string): CarrierFault {
  return new CarrierFault(message, { kind: 'invalid', code });
}
