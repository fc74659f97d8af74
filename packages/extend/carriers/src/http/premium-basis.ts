import type { CarrierAnswer, CarrierMessage } from '@leeward/quotes';
import { CarrierFault } from '@leeward/quotes';
import { type Cents, type Fault, formatCents, quoteValue, valueAtPointer } from '@leeward/terms';
import type { HttpCarrierFile, HttpResponseFile } from './schema.ts';

const YEAR_MONTHS = 12;

/** A premium with its currency and term. */
export interface ReadBasis {
  readonly premium: Pick<CarrierAnswer, 'premiumCents' | 'currency' | 'termMonths'>;
  /** Conversions of the premium. */
  readonly notes: readonly CarrierMessage[];
}

/**
 * Makes it a yearly premium with `annualize`. @throws {CarrierFault} `invalid` if the answer lacks what the file names, or has a word
 * that the file does not name.
 */
export function readBasis(premiumCents: Cents, body: unknown, file: HttpResponseFile): ReadBasis {
  const currency = readWord<string>(
    body,
    file.currency,
    (text) => (/^[A-Z]{3}$/.test(text) ? text : undefined),
    'currency',
  );
  const termMonths = readWord<number>(body, file.term_months, asMonths, 'term');
  if (file.annualize !== true || termMonths === undefined || termMonths === YEAR_MONTHS) {
    return { premium: { premiumCents, currency, termMonths }, notes: [] };
  }
  const message = `The carrier's premium is ${formatCents(premiumCents)} for ${termMonths} months. It is converted to a year.`;
  return {
    premium: { premiumCents: yearlyCents(premiumCents, termMonths), currency, termMonths: YEAR_MONTHS },
    notes: [{ level: 'info', code: 'annualized_premium', message, field: null }],
  };
}

/** Half up to a cent. */
function yearlyCents(cents: Cents, months: number): Cents {
  const [yearly, divisor] = [cents * BigInt(YEAR_MONTHS), BigInt(months)];
  return (2n * yearly + divisor) / (2n * divisor);
}

type WordFile<Value> = Value | { readonly path: string; readonly values?: Readonly<Record<string, Value>> | undefined };

function readWord<Value extends string | number>(
  body: unknown,
  file: WordFile<Value> | undefined,
  parse: (text: string) => Value | undefined,
  what: string,
): Value | undefined {
  if (typeof file !== 'object') return file;
  const word = valueAtPointer(body, file.path);
  const text = typeof word === 'string' || typeof word === 'number' ? String(word).trim().toUpperCase() : '';
  const value = Object.entries(file.values ?? {}).find(([name]) => name.toUpperCase() === text)?.[1] ?? parse(text);
  if (value !== undefined) return value;
  const problem = text === '' ? `lacks its ${what}` : `has a ${what} that its file does not list`;
  throw new CarrierFault(`The carrier answered with a premium that ${problem}.`, {
    kind: 'invalid',
    code: `unknown_${what}`,
  });
}

function asMonths(text: string): number | undefined {
  return /^\d{1,2}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** Currencies and terms that can never be compared. */
export function basisFaults({ response, lookup, job }: HttpCarrierFile): Fault[] {
  const responses = [
    ['/response', response],
    ['/lookup/response', lookup?.response],
    ['/job/poll/response', job?.poll?.response],
    ['/job/callback/response', job?.callback?.response],
  ] as const;
  return responses.flatMap(([path, each]): Fault[] => {
    const { currency, term_months: term, annualize = false } = each ?? {};
    const faults: Fault[] = [];
    if (typeof currency === 'string' && currency !== 'USD') {
      const message = `${quoteValue(currency)} cannot be compared with premiums in USD. A file cannot describe such a carrier.`;
      faults.push({ path: `${path}/currency`, code: 'other_currency', message });
    }
    if (typeof term === 'number' && term !== YEAR_MONTHS && !annualize) {
      const message = `A premium for ${term} months cannot be compared with those for a year. Add "annualize": true to convert it.`;
      faults.push({ path: `${path}/term_months`, code: 'other_term', message });
    }
    if (annualize && term === undefined) {
      const message = '"annualize" needs the term of premiums: add "term_months", or omit it.';
      faults.push({ path: `${path}/annualize`, code: 'no_term', message });
    }
    return faults;
  });
}
