import { activeSpanContext } from '../trace/tracing.ts';
import type { Exchange, Observer } from './observer.ts';
import { RequestLine } from './request-line.ts';

/** Pino, Fastify's logger, or any object with these methods. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const SAMPLE_PERIOD_MS = 10_000;
/** Maximum number of counted callers and routes per period. */
const MAX_SAMPLES = 1_000;

/**
 * Logs a line per request, with token id and path template. Refused requests are sampled: the first per token, route and problem is a
 * line, and those of the next ten seconds are counted in another.
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

/** Errors of the store are logged each time. */
function isRefusal({ problem, error }: Exchange): boolean {
  return problem === 'rate_limited' || (problem === 'unavailable' && error === undefined);
}

function lineOf(exchange: Exchange): object {
  const line = new RequestLine(exchange, activeSpanContext());
  // Errors may contain personal data.
  return exchange.error === undefined ? line : { ...line, err: exchange.error };
}
