import type { QuoteEvents, Quotes, TaggedEvent } from '@leeward/quotes';
import { createStreamPlaces } from '../../admission/stream-places.ts';
import type { AnswerStream } from '../../answer/answer.ts';
import { asExample, createContentText } from '../../document/content-text.ts';
import { guarded, type Operation } from '../../operation/operation.ts';
import { notFound } from '../../problem/problem.ts';
import { quoteEvent } from '../../quoting/event-schema.ts';
import { asQuoteProblem } from '../../quoting/quote-problem.ts';
import { carriers, quoteRequestId, rateId } from './quote-examples.ts';
import { access, type QuoteResource, tag, teamOf } from './quote-route.ts';

/** Limits of open event streams. */
export interface EventStreamLimits {
  /** Maximum for one team, in this process. @default 200 */
  readonly maxPerTeam?: number;
  /** Maximum for all teams of one organization, in this process. @default a fifth of `max` */
  readonly maxPerOrganization?: number | undefined;
  /** Maximum for all organizations, in this process. @default 5,000 */
  readonly max?: number;
  /** Time without an event after which a comment keeps the connection alive, in ms. @default 15_000 */
  readonly heartbeatMs?: number;
  /** Maximum duration of a stream, in ms. The client reconnects, and its token is checked again. @default 600_000 */
  readonly maxAgeMs?: number;
}

/** `GET /api/v1/quote/{quote}/events`: the events of a quote as Server-Sent Events (HTML standard). */
export function quoteEventsOperation(quotes: Quotes, limits: EventStreamLimits, quote: QuoteResource): Operation {
  const { heartbeatMs = 15_000, maxAgeMs = 600_000 } = limits;
  const { maxPerTeam = 200, maxPerOrganization, max = 5_000 } = limits;
  const places = createStreamPlaces('event streams', { maxPerTeam, maxPerOrganization, max });
  return guarded<string>({
    method: 'get',
    path: '/api/v1/quote/{quote}/events',
    operationId: 'followQuote',
    tag,
    access,
    summary: 'Stream the events of a quote',
    description:
      'A stream of Server-Sent Events: first the past events of the quote, then each new one, exactly once. `rate.ended` when a carrier has answered or failed for good, `rate.changed` when one answers again, `quote.completed` when no rate is open, `quote.affected` when a storm or another event closes or reopens carriers for the home. No personal data: read the rate for its details. Lines that begin with a colon keep the stream alive. It ends after ten minutes; an `EventSource` opens it again after its last event.',
    headers: {
      'Last-Event-ID': {
        description:
          'The id of the last event that the caller has; the stream begins after it. Default: at the first event.',
        schema: { type: 'string', maxLength: 75 },
      },
    },
    parameters: quote.parameters,
    answers: {
      200: {
        description: 'Server-Sent Events. Schema and example are those of one event, with its fields by name.',
        mediaType: 'text/event-stream',
        content: createContentText('QuoteEvent', quoteEvent, 'output', { examples }),
      },
    },
    problems: ['not_found'],
    locate: teamOf,
    isPresent: quote.isPresent,
    async handle(context) {
      const { caller, resource: teamId, params } = context;
      const leave = places.take(caller, teamId);
      try {
        const after = context.header('last-event-id') || undefined;
        const events = await quotes.events(teamId, params['quote']!, { after });
        if (events === undefined) throw notFound();
        const stream = streamOf(events, { heartbeatMs, maxAgeMs, leave });
        // The signal does not fire again for a client that has already gone.
        if (context.signal.aborted) stream.close();
        else context.signal.addEventListener('abort', () => stream.close(), { once: true });
        // Keeps nginx from buffering events.
        return { status: 200, stream, contentType: 'text/event-stream', headers: { 'x-accel-buffering': 'no' } };
      } catch (thrown) {
        leave();
        throw asQuoteProblem(thrown);
      }
    },
  });
}

/** Clients reconnect after one second. */
const opening = 'retry: 1000\n\n';
const heartbeat = ':\n\n';

function streamOf(
  events: QuoteEvents,
  { heartbeatMs, maxAgeMs, leave }: { heartbeatMs: number; maxAgeMs: number; leave: () => void },
): AnswerStream {
  const endsAt = performance.now() + maxAgeMs;
  let next: Promise<TaggedEvent | undefined> | undefined;
  let isOpened = false;
  return {
    async read() {
      if (!isOpened) {
        isOpened = true;
        return opening;
      }
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) return undefined;
      next ??= events.next();
      const event = await orTimeout(Math.min(heartbeatMs, leftMs), next);
      if (event === 'timeout') return heartbeat;
      next = undefined;
      return event && formatEvent(event);
    },
    close() {
      events.end();
      leave();
    },
  };
}

/** `JSON.stringify` writes no line break, so an event is one line of data. */
function formatEvent({ id, message }: TaggedEvent): string {
  return `id: ${id}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`;
}

function orTimeout<Result>(waitMs: number, work: Promise<Result>): Promise<Result | 'timeout'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs, 'timeout');
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const message = {
  type: 'rate.ended',
  timestamp: '2026-11-20T12:00:01.214000Z',
  data: {
    quote_request_id: quoteRequestId,
    service_quote_id: '01a1fb9b-afb1-7a4e-9c01-cc41de1b7f3a',
    number: 1,
    rate: {
      ...{ id: rateId, carrier_key: 'sawpalm_home', carrier: carriers.sawpalm, form_type: 'ho3' },
      ...{ status: 'success', outcome: 'quoted', premium: '1843.50' },
    },
  },
};
const examples = asExample('A carrier has quoted', {
  id: `${quoteRequestId}_1`,
  event: message.type,
  data: JSON.stringify(message),
});
