import type { QuoteEvents, Quotes, TaggedEvent } from '@leeward/quotes';
import { createStreamPlaces } from '../admission/stream-places.ts';
import type { AnswerStream } from '../answer/answer.ts';
import { guarded, type Operation } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { notFound } from '../problem/problem.ts';

/** How many streams of events may be open at once, and how they are kept open. */
export interface EventStreamLimits {
  /** Of one team, in this process. Default 200. */
  readonly maxPerTeam?: number;
  /** Maximum for all teams of one organization, in this process. @default a fifth of `max` */
  readonly maxPerOrganization?: number | undefined;
  /** Maximum for all organizations, in this process. @default 5,000 */
  readonly max?: number;
  /** A line that means nothing is sent after so long without an event. Default 15,000. */
  readonly heartbeatMs?: number;
  /** A stream ends after so long, and is taken up again by its client with a token that is good by then. Default 600,000. */
  readonly maxAgeMs?: number;
}

export interface QuoteEventsOptions {
  readonly quotes: Quotes;
  readonly limits: EventStreamLimits;
  readonly teamOf: (context: GuardedContext<unknown>) => string;
  readonly isThere: (context: GuardedContext<string>) => Promise<boolean>;
  readonly asProblem: (thrown: unknown) => unknown;
}

/** `GET /api/v1/quote/{quote}/events`: what happens to a quote, as it happens (Server-Sent Events of the HTML standard). */
export function quoteEventsOperation({ quotes, limits, teamOf, isThere, asProblem }: QuoteEventsOptions): Operation {
  const { heartbeatMs = 15_000, maxAgeMs = 600_000 } = limits;
  const { maxPerTeam = 200, maxPerOrganization, max = 5_000 } = limits;
  const places = createStreamPlaces('event streams', { maxPerTeam, maxPerOrganization, max });
  return guarded<string>({
    method: 'get',
    path: '/api/v1/quote/{quote}/events',
    operationId: 'followQuote',
    tag: 'quoting',
    access: { scopes: ['quote'] },
    summary: 'Stream the events of a quote',
    parameters: { quote: { description: 'Either identifier of the quote.' } },
    answers: {
      200: { description: 'Server-Sent Events, each with the id of an event.', content: 'text/event-stream' },
    },
    problems: ['not_found'],
    locate: teamOf,
    isThere,
    async handle(context) {
      const { caller, found: teamId, params } = context;
      const leave = places.take(caller, teamId);
      try {
        const after = context.header('last-event-id') || undefined;
        const events = await quotes.events(teamId, params['quote']!, { after });
        if (events === undefined) throw notFound();
        const stream = streamOf(events, { heartbeatMs, maxAgeMs, leave });
        // A client that left before this line aborts nothing any more.
        if (context.signal.aborted) stream.close();
        else context.signal.addEventListener('abort', () => stream.close(), { once: true });
        // A proxy is to hand on each event at once.
        return { status: 200, stream, contentType: 'text/event-stream', headers: { 'x-accel-buffering': 'no' } };
      } catch (thrown) {
        leave();
        throw asProblem(thrown);
      }
    },
  });
}

/** A client that lost its connection comes back after a second. */
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
      const event = await orNothingFor(Math.min(heartbeatMs, leftMs), next);
      if (event === 'nothing') return heartbeat;
      next = undefined;
      return event && written(event);
    },
    close() {
      events.end();
      leave();
    },
  };
}

/** JSON has no line breaks of its own, so that each event is one line of data. */
function written({ id, message }: TaggedEvent): string {
  return `id: ${id}\nevent: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`;
}

function orNothingFor<Result>(waitMs: number, work: Promise<Result>): Promise<Result | 'nothing'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, waitMs, 'nothing');
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
