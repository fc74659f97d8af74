import { DocumentError, type QuoteDocument, type Quotes } from '@leeward/quotes';
import { createStreamPlaces } from '../../admission/stream-places.ts';
import { guarded, type Operation } from '../../operation/operation.ts';
import { notFound, Problem } from '../../problem/problem.ts';
import { asQuoteProblem } from '../../quoting/quote-problem.ts';
import { access, type QuoteResource, tag, teamOf } from './quote-route.ts';

/** Limits of documents in transfer. */
export interface DocumentStreamLimits {
  /** Maximum for one team, in this process. @default 20 */
  readonly maxPerTeam?: number;
  /** Maximum for all teams of one organization, in this process. @default a fifth of `max` */
  readonly maxPerOrganization?: number | undefined;
  /** Maximum for all organizations, in this process. @default 200 */
  readonly max?: number;
}

/** `GET /api/v1/rate/{rate}/document/{document}`: a document of a rate, streamed from its carrier. */
export function quoteDocumentOperation(
  quotes: Quotes,
  { maxPerTeam = 20, maxPerOrganization, max = 200 }: DocumentStreamLimits,
  rate: QuoteResource,
): Operation {
  const places = createStreamPlaces('documents', { maxPerTeam, maxPerOrganization, max });
  return guarded<string>({
    method: 'get',
    path: '/api/v1/rate/{rate}/document/{document}',
    operationId: 'readRateDocument',
    tag,
    access,
    summary: 'Read a document of a rate',
    description:
      'Requests the document from the carrier and passes it on without storing it. A document of another media type than the rate names is refused. Media types that a browser could run are sent as `attachment`. If the carrier breaks off, the connection is closed, so that a part never looks like the whole. A carrier that fails is answered 502, one that is too slow 504.',
    parameters: {
      ...rate.parameters,
      document: { description: '`document_id` of one of the rate’s documents.', example: 'quote_letter' },
    },
    answers: { 200: { description: 'The document, of the media type that the rate names.', content: '*/*' } },
    problems: ['not_found', 'gone', 'carrier_failed', 'carrier_timeout'],
    locate: teamOf,
    isPresent: rate.isPresent,
    async handle({ caller, resource: teamId, params, signal }) {
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
        throw thrown instanceof DocumentError ? problemOf(thrown) : asQuoteProblem(thrown);
      }
    },
  });
}

/** Media types that a browser shows without running code. Others are saved. */
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
  // A title is a carrier's text: RFC 8187 encodes every special character.
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
