import type { createLogger } from '@leeward/http-admin';
import type { QuoteEvent, QuoteListener } from '@leeward/quotes';

type Logger = ReturnType<typeof createLogger>;

/** Interval of lines while a resource is unavailable. */
const FAILURE_LOG_INTERVAL_MS = 5_000;

/** Logs results, returns to the queue, and unavailable resources. */
export function createQuoteLog(logger: Logger): {
  readonly listener: QuoteListener;
  onFailure(where: string): (error: Error) => void;
} {
  const lastReport = new Map<string, { at: number; suppressed: number }>();
  const reportFailure = (where: string, error: unknown) => {
    const now = performance.now();
    const last = lastReport.get(where);
    if (last !== undefined && now - last.at < FAILURE_LOG_INTERVAL_MS) {
      last.suppressed++;
      return;
    }
    lastReport.set(where, { at: now, suppressed: 0 });
    logger.warn({ where, err: error, ...(last?.suppressed && { repeated: last.suppressed }) }, 'quotes_trouble');
  };
  return {
    listener(event) {
      if (event.type === 'failure') reportFailure(event.where, event.error);
      else logger[levels[event.type]](lineOf(event), event.type);
    },
    onFailure: (where) => (error) => reportFailure(where, error),
  };
}

const levels = {
  carrier_asked: 'debug',
  rate_ended: 'info',
  rate_requeued: 'info',
  rate_pending: 'info',
  callback: 'info',
  document: 'info',
  hold_lost: 'warn',
  carrier_given_up: 'warn',
  carrier_back: 'info',
  carrier_resting: 'warn',
  carrier_rest_lifted: 'info',
  clock_jumped: 'warn',
  process_lost: 'warn',
  quotes_erased: 'info',
  quotes_deleted: 'info',
  closures_checked: 'info',
  homes_checked: 'info',
  webhook_failed: 'warn',
  webhook_disabled: 'error',
  webhook_event_given_up: 'error',
} as const;

function lineOf(event: Exclude<QuoteEvent, { type: 'failure' }>): Record<string, unknown> {
  if (event.type === 'clock_jumped') return { jump_ms: Math.round(event.jumpMs) };
  if (event.type === 'quotes_deleted') return { count: event.count };
  if (event.type === 'process_lost') return { processes: event.processes, leases: event.leases };
  if (event.type === 'quotes_erased') {
    return { why: event.why, ...(event.teamId && { team_id: event.teamId }), quote_request_ids: event.quoteIds };
  }
  if (event.type === 'closures_checked') {
    const { quotes, closed, reopened, tookMs } = event;
    return { quotes, closed, reopened, took_ms: Math.round(tookMs) };
  }
  if (event.type === 'homes_checked') {
    const { homes, changed, failed, tookMs } = event;
    return { homes, changed, failed, took_ms: Math.round(tookMs) };
  }
  if ('webhookId' in event) return webhookLine(event);
  const carrier = { carrier_key: event.carrierKey };
  switch (event.type) {
    case 'carrier_given_up':
    case 'carrier_back':
    case 'carrier_rest_lifted':
      return carrier;
    case 'carrier_resting':
      return { ...carrier, rest_ms: Math.round(event.cooldownMs), asked_ms: Math.round(event.requestedMs) };
    case 'hold_lost':
      return { ...carrier, rate_id: event.rateId, quote_request_id: event.quoteId };
    case 'carrier_asked': {
      const { rateId, quoteId, formType, attempt } = event;
      return { ...carrier, rate_id: rateId, quote_request_id: quoteId, form_type: formType, attempt };
    }
    case 'rate_requeued': {
      const { rateId, quoteId, reason, delayMs } = event;
      return { ...carrier, rate_id: rateId, quote_request_id: quoteId, reason, delay_ms: Math.round(delayMs) };
    }
    case 'rate_pending': {
      const { rateId, quoteId, reason, delayMs } = event;
      const again = delayMs === undefined ? {} : { delay_ms: Math.round(delayMs) };
      return { ...carrier, rate_id: rateId, quote_request_id: quoteId, reason, ...again };
    }
    case 'callback':
      return { ...carrier, fate: event.fate, ...(event.rateId && { rate_id: event.rateId }) };
    case 'document': {
      const { rateId, quoteId, fate, reason, bytes, tookMs } = event;
      const what = { fate, ...(reason && { reason }), bytes, took_ms: Math.round(tookMs) };
      return { ...carrier, rate_id: rateId, quote_request_id: quoteId, ...what };
    }
    case 'rate_ended': {
      const { rateId, quoteId, formType, outcome, attempts, tookMs } = event;
      const rate = { rate_id: rateId, quote_request_id: quoteId, form_type: formType };
      return { ...carrier, ...rate, outcome, attempts, took_ms: Math.round(tookMs) };
    }
  }
}

function webhookLine(event: Extract<QuoteEvent, { webhookId: string }>): Record<string, unknown> {
  const line = { webhook_id: event.webhookId, reason: event.reason };
  switch (event.type) {
    case 'webhook_failed':
      return { ...line, delay_ms: Math.round(event.delayMs) };
    case 'webhook_disabled':
      return line;
    case 'webhook_event_given_up':
      return { ...line, quote_request_id: event.quoteId, number: event.number };
  }
}
