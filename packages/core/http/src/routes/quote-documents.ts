import { DocumentError, type QuoteDocument, type Quotes } from '@leeward/quotes';
import { createStreamPlaces } from '../admission/stream-places.ts';
import { guarded, type Operation } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { notFound, Problem } from '../problem/problem.ts';

/** How many documents may be on their way at once. */
export interface DocumentStreamLimits {
  /** Of one team, in this process. Default 20. */
  readonly maxPerTeam?: number;
  /** Maximum for all teams of one organization, in this process. @default a fifth of `max` */
  readonly maxPerOrganization?: number | undefined;
  /** Maximum for all organizations, in this process. @default 200 */
  readonly max?: number;
}

export interface QuoteDocumentsOptions {
  readonly quotes: Quotes;
  readonly limits: DocumentStreamLimits;
  readonly teamOf: (context: GuardedContext<unknown>) => string;
  readonly isThere: (context: GuardedContext<string>) => Promise<boolean>;
  readonly asProblem: (thrown: unknown) => unknown;
}

/** `GET /api/v1/rate/{rate}/document/{document}`: a document of a rate, as its carrier sends it. */
export function quoteDocumentOperation({
  quotes,
  limits: { maxPerTeam = 20, maxPerOrganization, max = 200 },
  teamOf,
  isThere,
  asProblem,
}: QuoteDocumentsOptions): Operation {
  const places = createStreamPlaces('documents', { maxPerTeam, maxPerOrganization, max });
  return guarded<string>({
    method: 'get',
    path: '/api/v1/rate/{rate}/document/{document}',
    operationId: 'readRateDocument',
    tag: 'quoting',
    access: { scopes: ['quote'] },
    summary: 'Read a document of a rate',
    parameters: {
      rate: { description: 'The rate’s identifier.' },
      document: { description: '`document_id` of one of the rate’s documents.' },
    },
    answers: { 200: { description: 'The document, of the media type that the rate names.', content: '*/*' } },
    problems: ['not_found', 'gone', 'carrier_failed', 'carrier_timeout'],
    locate: teamOf,
    isThere,
    async handle({ caller, found: teamId, params, signal }) {
      const leave = places.take(caller, teamId);
      try {
        const document = await quotes.openDocument(teamId, params['rate']!, params['document']!, { signal });
        if (document === undefined) throw notFound();
        const close = () => {
          document.close();
          leave();
        };
        return {
          status: 200,
          stream: { read: () => document.read(), close },
          contentType: document.mediaType,
          headers: headersOf(document),
        };
      } catch (thrown) {
        leave();
        throw thrown instanceof DocumentError ? problemOf(thrown) : asProblem(thrown);
      }
    },
  });
}

/** What a browser shows and runs nothing of. All else is for saving. */
const passive = new Set([
  'application/pdf',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'text/plain',
]);

function headersOf({ title, mediaType, lengthBytes }: QuoteDocument): Record<string, string> {
  const disposition = passive.has(mediaType) ? 'inline' : 'attachment';
  // Titles are carriers' words: as RFC 8187 has them, which leaves no character with a meaning of its own.
  const name = encodeURIComponent(title).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return {
    'content-disposition': `${disposition}; filename*=UTF-8''${name}`,
    ...(lengthBytes !== undefined && { 'content-length': String(lengthBytes) }),
  };
}

function problemOf({ kind, message, retryAfterMs = 5_000 }: DocumentError): Problem {
  switch (kind) {
    case 'gone':
      return new Problem('gone', message);
    case 'failed':
      return new Problem('carrier_failed', message);
    case 'timed_out':
      return new Problem('carrier_timeout', message);
    case 'busy':
    case 'unreadable':
      return new Problem('unavailable', message, {
        headers: { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1000))) },
      });
  }
}
