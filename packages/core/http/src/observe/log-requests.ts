import { activeSpanContext } from '../trace/tracing.ts';
import type { Exchange, Observer } from './observer.ts';
import { RequestLine } from './request-line.ts';

/** A logger: pino, Fastify's, or any object with these two methods. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SAMPLE_PERIOD_MS = 10_000;
/** Maximum number of callers and routes that are counted separately in a period. */
const MAX_SAMPLES = 1_000;

/**
 * Logs one line per request, with the id of the token and the template of the path. Refused requests are sampled, so that a burst does
 * not fill the log: for each token, route and problem the first is a line, and those of the next ten seconds are counted in one more.
 */
export function logRequests(logger: RequestLogger, periodMs: number = SAMPLE_PERIOD_MS): Observer {
  const refused = new Map<string, { readonly first: Exchange; count: number }>();
  const countRefusal = (exchange: Exchange): boolean => {
    const exactKey = `${exchange.problem} ${exchange.route} ${exchange.caller?.tokenId ?? ''}`;
    const key = refused.has(exactKey) || refused.size < MAX_SAMPLES ? exactKey : `${exchange.problem}`;
    const sample = refused.get(key);
    if (sample !== undefined) {
      sample.count++;
      return true;
    }
    if (refused.size === 0) setTimeout(endPeriod, periodMs).unref?.();
    refused.set(key, { first: exchange, count: 0 });
    return false;
  };
  function endPeriod(): void {
    for (const [key, { first, count }] of refused) {
      if (count === 0) continue;
      const { problem, route, status, caller } = first;
      const whose =
        key === problem ? {} : { route, token_id: caller?.tokenId, organization_id: caller?.organizationId };
      logger.info({ problem, status, ...whose, refused: count, period_ms: periodMs }, 'requests refused');
    }
    refused.clear();
  }
  return () => (exchange) => {
    if (isRefusal(exchange) && countRefusal(exchange)) return;
    const fields = lineOf(exchange);
    if (exchange.status >= 500 && exchange.problem !== 'coming_soon') logger.error(fields, 'request failed');
    else logger.info(fields, 'request');
  };
}

/** True for a request refused by a limit. An unavailable store has an error, and is logged each time. */
function isRefusal({ problem, error }: Exchange): boolean {
  return problem === 'rate_limited' || (problem === 'unavailable' && error === undefined);
}

function lineOf(exchange: Exchange): object {
  const line = new RequestLine(exchange, activeSpanContext());
  // The text of an error can contain anything, so a line with an error must be redacted.
  return exchange.error === undefined ? line : { ...line, err: exchange.error };
}
