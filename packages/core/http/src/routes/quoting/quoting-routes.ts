import type { Line } from '@leeward/engine';
import type { RouteGroup } from '../../operation/operation.ts';
import { quoteSchemas } from '../../quoting/quote-schema.ts';
import { quotedLine } from '../../quoting/quoted-line.ts';
import { carrierCallbackOperation } from './carrier-callbacks.ts';
import { creationOperations } from './create-quotes.ts';
import { descriptionOperations } from './describe-quoting.ts';
import { erasureOperations } from './erase-quotes.ts';
import { quoteListOperation } from './list-quotes.ts';
import { quoteDocumentOperation } from './quote-documents.ts';
import { quoteEventsOperation } from './quote-events.ts';
import { quoteProposalOperation } from './quote-proposal.ts';
import { type QuoteResource, quoteParameter, rateParameter, tag } from './quote-route.ts';
import type { QuotingPorts } from './quoting-ports.ts';
import { quoteOperations, rateOperations } from './read-quotes.ts';
import { watchedHomeOperations } from './watched-homes.ts';

/** `/api/v1/…`: a team requests quotes from many carriers and reads the answers. */
export function quotingRoutes(ports: QuotingPorts, lines: readonly Line[] = []): RouteGroup {
  const { quotes, eventStreams = {}, documents = {}, audit = async () => {} } = ports;
  const schemas = quoteSchemas(lines.map(quotedLine));
  const quote: QuoteResource = {
    parameters: quoteParameter,
    isPresent: async ({ resource: teamId, params }) =>
      (await quotes.status(teamId, params['quote']!, { includeRates: false })) !== undefined,
  };
  const rate: QuoteResource = {
    parameters: rateParameter,
    isPresent: async ({ resource: teamId, params }) => (await quotes.rate(teamId, params['rate']!)) !== undefined,
  };
  return {
    name: tag,
    description: 'Requests quotes from many carriers at once, in the background.',
    operations: [
      ...creationOperations(ports, schemas, quote),
      ...descriptionOperations(ports, schemas),
      ...erasureOperations({ quotes, audit }, quote),
      quoteListOperation(ports, schemas),
      ...quoteOperations(ports, quote),
      ...rateOperations(ports, rate),
      quoteEventsOperation(quotes, eventStreams, quote),
      quoteProposalOperation(quotes, quote),
      quoteDocumentOperation(quotes, documents, rate),
      carrierCallbackOperation(quotes),
      ...watchedHomeOperations(ports),
    ],
  };
}
