import {
  type CallContext,
  type CarrierAdapter,
  type CarrierAnswer,
  type CarrierExchange,
  CarrierFault,
  type ExchangeReading,
  type LookupAnswer,
} from '@leeward/quotes';
import type { AuthHeaders } from './auth/auth.ts';
import type { HttpAuthFile } from './schema.ts';
import { hasSecret, type Secrets } from './secrets.ts';

/** Sessions add values for as long as the process runs. */
const MAX_VALUES = 200;

/** The secrets of a carrier that requests and answers may contain. */
export interface CarrierCredentials {
  /** Remembers each value that it returns. */
  readonly secrets: Secrets;
  add(value: unknown): void;
  /** With those of the authorization. */
  list(authorization: AuthHeaders): string[];
}

export function createCarrierCredentials(secrets: Secrets, auth: HttpAuthFile | undefined): CarrierCredentials {
  const values = new Set<string>();
  const add = (value: unknown) => {
    if (typeof value !== 'string' || value === '') return;
    // Moves a value that is used again to the end.
    values.delete(value);
    values.add(value);
    if (values.size > MAX_VALUES) values.delete(values.values().next().value!);
  };
  // Written in the file itself.
  for (const key of ['token', 'username', 'password', 'value', 'client_id', 'client_secret']) {
    const text = auth && (auth as Readonly<Record<string, unknown>>)[key];
    if (typeof text === 'string' && !hasSecret(text)) add(text);
  }
  return {
    secrets(name) {
      const value = secrets(name);
      add(value);
      return value;
    },
    add,
    list: (authorization) => [
      ...values,
      ...Object.values(authorization).flatMap((value) => [value, value.replace(/^(?:Bearer|Basic) /, '')]),
    ],
  };
}

/** Adds the result of each call to the exchange that it was read from: the last. */
export function withReadings(adapter: CarrierAdapter): CarrierAdapter {
  const { quote, lookup, resume } = adapter;
  return {
    ...adapter,
    quote: (request, context) => read(context, (inner) => quote(request, inner), readingOf),
    ...(lookup && {
      lookup: (request, context) => read(context, (inner) => lookup(request, inner), readingOfLookup),
    }),
    ...(resume && { resume: (request, context) => read(context, (inner) => resume(request, inner), readingOf) }),
  };
}

async function read<Context extends CallContext, Result>(
  context: Context,
  run: (context: Context) => Promise<Result>,
  readingOf: (result: Result) => ExchangeReading | undefined,
): Promise<Result> {
  const { recordExchange } = context;
  if (recordExchange === undefined) return run(context);
  let last: CarrierExchange | undefined;
  let isOver = false;
  const record = (exchange: CarrierExchange) => {
    // A session that others wait for may outlive the call.
    if (isOver) return recordExchange(exchange);
    if (last !== undefined) recordExchange(last);
    last = exchange;
  };
  let reading: ExchangeReading | undefined;
  try {
    const result = await run({ ...context, recordExchange: record });
    reading = readingOf(result);
    return result;
  } catch (error) {
    if (error instanceof CarrierFault) reading = readingOfFault(error);
    throw error;
  } finally {
    isOver = true;
    if (last !== undefined) recordExchange(last.purpose === 'step' ? last : { ...last, reading });
  }
}

export function readingOf({ outcome, premiumCents }: CarrierAnswer): ExchangeReading {
  return { outcome, premiumCents };
}

export function readingOfFault({ kind, code }: CarrierFault): ExchangeReading {
  return { outcome: kind, code };
}

function readingOfLookup(result: LookupAnswer): ExchangeReading | undefined {
  if (result.status === 'found') return readingOf(result.answer);
  return result.status === 'absent' ? { outcome: 'absent' } : undefined;
}
