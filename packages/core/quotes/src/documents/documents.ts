import type { CarrierCatalog, CatalogCarrier } from '../catalog/carrier-catalog.ts';
import type { QuoteListener } from '../orchestrator/quote-event.ts';
import { createRateLimiter, permitFurther, type RateLimiter, withQuotas } from '../orchestrator/rate-limiter.ts';
import { codeOf, createPublicCaller, type PublicCaller } from '../outward/call-public.ts';
import type { DocumentReference, OpenedDocument } from '../ports/carrier-adapter.ts';
import { CarrierFault } from '../ports/carrier-fault.ts';
import type { FoundDocument } from '../store/read-quotes.ts';
import type { SqlQuoteStore } from '../store/sql-quote-store.ts';
import { DocumentError, failed } from './document-error.ts';
import { fetchDocument } from './fetch-document.ts';
import { beginTransfer, type Transfer } from './transfer.ts';

/** Limits of document transfers. */
export interface DocumentOptions {
  /** @default 26_214_400 (25 MiB) */
  readonly maxBytes?: number | undefined;
  /** Time until the first byte. @default 20_000 */
  readonly firstByteMs?: number | undefined;
  /** Time until the last byte. @default 300_000 */
  readonly timeoutMs?: number | undefined;
  /** Allows private addresses and http. @default false: only the public internet */
  readonly allowPrivate?: boolean | undefined;
}

/** A transfer in progress: read it to the end, or close it. */
export interface QuoteDocument extends Transfer {
  readonly title: string;
  readonly mediaType: string;
}

/** No copy is stored. */
export interface Documents {
  open(teamId: string, rateId: string, documentId: string, signal: AbortSignal): Promise<QuoteDocument | undefined>;
  close(): void;
}

export function createDocuments(options: {
  readonly store: Pick<SqlQuoteStore, 'readDocument' | 'takePermit' | 'takeQuota'>;
  readonly catalog: CarrierCatalog;
  readonly listener: QuoteListener;
  readonly limits: DocumentOptions;
}): Documents {
  const { store, catalog, listener } = options;
  const { maxBytes = 26_214_400, firstByteMs = 20_000, timeoutMs = 300_000, allowPrivate = false } = options.limits;
  const caller = createPublicCaller({ allowPrivate, keepAlive: false });
  const rateLimiters = new Map<string, RateLimiter>();
  const rateLimiterOf = ({ adapter, limits }: CatalogCarrier) => {
    const { rateLimit, quotas } = limits;
    const rateLimiter =
      rateLimiters.get(adapter.key) ??
      withQuotas(createRateLimiter(store, adapter.key, rateLimit), store, adapter.key, quotas);
    rateLimiters.set(adapter.key, rateLimiter);
    return rateLimiter;
  };
  return {
    async open(teamId, rateId, documentId, signal) {
      const reference = await store.readDocument(teamId, rateId, documentId);
      if (reference === undefined) return undefined;
      if (reference === 'erased')
        throw new DocumentError('The quote and the addresses of its documents were erased.', gone);
      if (reference === 'unreadable')
        throw new DocumentError('The address of the document cannot be decrypted.', unreadable);
      const { carrierKey, quoteId, document } = reference;
      const start = performance.now();
      const transfer = await beginTransfer(
        (stopped) => openFrom(reference, catalog.get(carrierKey), { caller, rateLimiterOf, signal: stopped }),
        document.mediaType,
        { maxBytes, firstByteMs, timeoutMs },
        signal,
        (end) => listener({ type: 'document', carrierKey, quoteId, rateId, ...end, tookMs: performance.now() - start }),
      );
      return { ...transfer, title: document.title, mediaType: document.mediaType };
    },
    close: () => caller.close(),
  };
}

const gone = { kind: 'gone', reason: 'erased' } as const;
const unreadable = { kind: 'unreadable', reason: 'unreadable' } as const;

async function openFrom(
  { document, rateId }: FoundDocument,
  carrier: CatalogCarrier | undefined,
  how: { caller: PublicCaller; rateLimiterOf: (carrier: CatalogCarrier) => RateLimiter; signal: AbortSignal },
): Promise<OpenedDocument> {
  const { caller, rateLimiterOf, signal } = how;
  const reference: DocumentReference = { ...document, ...document.reference };
  if (carrier?.adapter.openDocument === undefined) {
    if (reference.url === undefined)
      throw failed('no_adapter', 'The carrier of this document is no longer configured.');
    return fetchDocument(caller, reference, { rateId, signal, beforeRequest: async () => {} });
  }
  const rateLimiter = rateLimiterOf(carrier);
  const permit = await rateLimiter.take(signal);
  if (!permit.granted) {
    const message = 'The rate limit of the carrier is used up; try again later.';
    throw new DocumentError(message, { kind: 'busy', reason: 'rate_limit', retryAfterMs: permit.waitMs });
  }
  const context = { rateId, signal, beforeRequest: permitFurther(rateLimiter, signal) };
  try {
    return await carrier.adapter.openDocument(reference, context);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // An adapter's error may contain an address: report only its code.
    if (!(error instanceof CarrierFault)) {
      throw failed(`adapter_error (${codeOf(error)})`, 'The carrier could not be called: its adapter failed.');
    }
    const [, status] = /^http_(\d{3})$/.exec(error.code) ?? [];
    const answered = status === undefined ? `could not provide it (${error.code})` : `answered ${status}`;
    throw failed(error.code, `The carrier ${answered} to the request for this document.`);
  }
}
