import { type Cents, formatCents, formatMicros, type JsonObject } from '@leeward/terms';
import type { ExchangePurpose } from '../ports/carrier-exchange.ts';
import type { KeptExchange } from '../store/exchanges.ts';

/** A body: text if it is UTF-8, otherwise base64. */
export interface WireBody {
  readonly text?: string;
  readonly base64?: string;
  /** Before it was truncated. */
  readonly bytes: number;
  /** True if only the first 256 KiB were kept. */
  readonly truncated: boolean;
}

/** Header fields and body. Secrets are `[redacted]`. */
export interface WireHttpMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: WireBody;
}

/** A request to a carrier and its answer, for operators. Contains personal data. */
export interface WireExchange {
  readonly exchange_id: string;
  readonly rate_id: string;
  readonly quote_request_id: string;
  readonly team_id: string;
  readonly carrier_key: string;
  readonly at: string;
  /** False if it is encrypted under a key that this service lacks; then the fields below are missing. */
  readonly readable: boolean;
  readonly purpose?: ExchangePurpose;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number | null;
  /** Code of the failure if the answer is missing or incomplete. */
  readonly failure?: string | null;
  readonly took_ms?: number;
  /** Outcome, or kind and code of the fault, that was read in the answer; null if it was not used. */
  readonly reading?: { readonly outcome: string; readonly code: string | null; readonly premium: string | null } | null;
  readonly request?: WireHttpMessage;
  readonly answer?: WireHttpMessage | null;
}

interface Content {
  readonly purpose: ExchangePurpose;
  readonly method: string;
  readonly url: string;
  readonly status: number | null;
  readonly failure: string | null;
  readonly took_ms: number;
  readonly reading: {
    readonly outcome: string;
    readonly code: string | null;
    readonly premium_cents: string | null;
  } | null;
  readonly request: WireHttpMessage;
  readonly answer: WireHttpMessage | null;
}

export function presentExchange(exchange: KeptExchange, includeMessages: boolean): WireExchange {
  const { id, rateId, quoteId, teamId, carrierKey, at, content } = exchange;
  const about = {
    exchange_id: id,
    rate_id: rateId,
    quote_request_id: quoteId,
    team_id: teamId,
    carrier_key: carrierKey,
    at: formatMicros(at),
  };
  if (typeof content === 'string') return { ...about, readable: false };
  const { reading, request, answer, ...rest } = content as JsonObject & Content;
  return {
    ...about,
    readable: true,
    ...rest,
    reading: reading && {
      outcome: reading.outcome,
      code: reading.code,
      premium: reading.premium_cents === null ? null : formatCents(BigInt(reading.premium_cents) as Cents),
    },
    ...(includeMessages && { request, answer }),
  };
}
