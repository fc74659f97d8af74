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

/** How documents are passed on. */
export interface DocumentOptions {
  /** Of one document. Default 26,214,400: 25 MiB. */
  readonly maxBytes?: number | undefined;
  /** A carrier has so long until the first byte is there. Default 20,000. */
  readonly firstByteMs?: number | undefined;
  /** … and until the last one was taken. Default 300,000. */
  readonly timeoutMs?: number | undefined;
  /** Whether addresses that an answer names may be private, and http. Default false: the public internet alone. */
  readonly allowPrivate?: boolean | undefined;
}

/** A document that its carrier has begun to send. Read it to its end, or close it. */
export interface QuoteDocument extends Transfer {
  readonly title: string;
  /** As its answer announced it. */
  readonly mediaType: string;
}

/** Opens documents, asking their carriers each time: nothing of them is kept. */
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
      const found = await store.readDocument(teamId, rateId, documentId);
      if (found === undefined) return undefined;
      if (found === 'erased') throw new DocumentError('The quote was erased, and what led to its documents.', gone);
      if (found === 'unreadable') throw new DocumentError('Where the document is cannot be read here.', unreadable);
      const { carrierKey, quoteId, document } = found;
      const start = performance.now();
      const transfer = await beginTransfer(
        (stopped) => openFrom(found, catalog.get(carrierKey), { caller, rateLimiterOf, signal: stopped }),
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

/** Asks whoever can open it: the carrier's adapter, where that does, else its address. */
async function openFrom(
  { document, rateId }: FoundDocument,
  carrier: CatalogCarrier | undefined,
  how: { caller: PublicCaller; rateLimiterOf: (carrier: CatalogCarrier) => RateLimiter; signal: AbortSignal },
): Promise<OpenedDocument> {
  const { caller, rateLimiterOf, signal } = how;
  const reference: DocumentReference = { ...document, ...document.reference };
  if (carrier?.adapter.openDocument === undefined) {
    if (reference.url === undefined) throw failed('no_adapter', 'The carrier of this document is not asked any more.');
    return fetchDocument(caller, reference, { rateId, signal, beforeRequest: async () => {} });
  }
  const rateLimiter = rateLimiterOf(carrier);
  const permit = await rateLimiter.take(signal);
  if (!permit.granted) {
    const message = 'The carrier is asked as often as it may be; try again later.';
    throw new DocumentError(message, { kind: 'busy', reason: 'rate_limit', retryAfterMs: permit.waitMs });
  }
  const context = { rateId, signal, beforeRequest: permitFurther(rateLimiter, signal) };
  try {
    return await carrier.adapter.openDocument(reference, context);
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // What an adapter throws may name an address: a word of it is told, no more.
    if (!(error instanceof CarrierFault)) {
      throw failed(`adapter_error (${codeOf(error)})`, 'The carrier could not be asked: its adapter failed.');
    }
    const [, status] = /^http_(\d{3})$/.exec(error.code) ?? [];
    const answered = status === undefined ? `could not give it (${error.code})` : `answered ${status}`;
    throw failed(error.code, `The carrier ${answered} when it was asked for this document.`);
  }
}
