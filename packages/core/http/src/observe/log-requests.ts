import { activeSpanContext } from '../trace/tracing.ts';
import type { Exchange, Observer } from './observer.ts';
import { RequestLine } from './request-line.ts';

/** Where lines go: pino's logger, Fastify's, or anything of the same two methods. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SAMPLE_PERIOD_MS = 10_000;
/** Callers and routes that are counted apart in a period; further ones are counted together. */
const MAX_SAMPLES = 1_000;

/**
 * One line a request. Of the caller it names the token's id, never the token; of the path its template. Requests that a limit
 * refused are sampled, so that many of them do not fill the log: of each token, route and problem the first is a line, and
 * those that follow within ten seconds are counted in one more.
 */
export function logRequests(logger: RequestLogger, periodMs: number = SAMPLE_PERIOD_MS): Observer {
  const refused = new Map<string, { readonly first: Exchange; count: number }>();
  const countRefusal = (exchange: Exchange): boolean => {
    const named = `${exchange.problem} ${exchange.route} ${exchange.caller?.tokenId ?? ''}`;
    const key = refused.has(named) || refused.size < MAX_SAMPLES ? named : `${exchange.problem}`;
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

/** True for a request that was refused for being too much. A store that is out of reach has an error, and each line of its own. */
function isRefusal({ problem, error }: Exchange): boolean {
  return problem === 'rate_limited' || (problem === 'unavailable' && error === undefined);
}

function lineOf(exchange: Exchange): object {
  const line = new RequestLine(exchange, activeSpanContext());
  // Errors tell what they like, so a line with one is redacted as any other.
  return exchange.error === undefined ? line : { ...line, err: exchange.error };
}
