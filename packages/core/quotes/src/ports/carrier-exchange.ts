import type { Cents } from '@leeward/terms';
import type { FaultKind } from './carrier-fault.ts';
import type { AnswerOutcome } from './outcome.ts';

/** `step`: a request before the quote request, such as the start of a session. */
export const exchangePurposes = ['quote', 'lookup', 'poll', 'step'] as const;
/** Purpose of a request. */
export type ExchangePurpose = (typeof exchangePurposes)[number];

/** An HTTP request to a carrier and its answer. */
export interface CarrierExchange {
  readonly purpose: ExchangePurpose;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly requestBody?: Uint8Array | string | undefined;
  /** Undefined without an answer, like the two below. */
  readonly status?: number | undefined;
  readonly answerHeaders?: Readonly<Record<string, string>> | undefined;
  readonly answerBody?: Uint8Array | string | undefined;
  /** Code of the failure if the answer is missing or incomplete. */
  readonly failure?: string | undefined;
  readonly tookMs: number;
  /** Result of the adapter. @default the answer was not used */
  readonly reading?: ExchangeReading | undefined;
  /** Keys, tokens and passwords to remove before anything is stored. @default only fields whose names suggest a secret are removed */
  readonly secrets?: readonly string[] | undefined;
}

/** Outcome and premium that an adapter read, or its fault. */
export interface ExchangeReading {
  /** `absent`: the lookup found no request. */
  readonly outcome: AnswerOutcome | FaultKind | 'absent';
  /** Present for a fault. */
  readonly code?: string | undefined;
  readonly premiumCents?: Cents | undefined;
}
