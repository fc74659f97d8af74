import type { ChaosResult } from './chaos-run.ts';

/** Figures of a run, and its broken promises, which must be zero. */
export interface ChaosVerdict {
  readonly rates: number;
  readonly kills: number;
  readonly pauses: number;
  readonly outages: number;
  readonly received: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly cuts: number;
  readonly deliverySeconds: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
  readonly recoverySeconds: number;
  readonly broken: readonly string[];
}

export function checkRun(run: ChaosResult): ChaosVerdict {
  const { rates, ledger, counts } = run;
  const accepted = new Map<string, number>();
  for (const { call, rate_id: id } of ledger) if (call === 'accepted') accepted.set(id, (accepted.get(id) ?? 0) + 1);
  const idempotent = new Set(rates.filter((rate) => rate.carrierKey === 'idempotent').map((rate) => rate.id));
  const withStatus = (status: string) => rates.filter((rate) => rate.status === status).length;
  const success = withStatus('success');
  const broken: string[] = [];
  const promise = (what: string, breaches: number) => {
    if (breaches !== 0) broken.push(`${what}: ${breaches}`);
  };
  promise('rates that have not ended', rates.filter((rate) => rate.outcome === null).length);
  promise('rates that ended more or less than once', rates.filter((rate) => rate.ends !== 1).length);
  promise('counted as processing', counts.processing);
  promise('successes missing in the counts', success - counts.success);
  promise('errors missing in the counts', withStatus('error') - counts.error);
  const twice = [...accepted].filter(([id, calls]) => calls > 1 && !idempotent.has(id));
  promise('rates with repeated work at a carrier that is not idempotent', twice.length);
  const madeUp = rates.filter((rate) => rate.status === 'success' && !accepted.has(rate.id));
  promise('quotes without an accepted call', madeUp.length);
  const unknown = rates.filter((rate) => idempotent.has(rate.id) && rate.outcome === 'unknown_outcome');
  promise('unknown outcomes of idempotent carriers', unknown.length);
  promise('workers that crashed', run.crashes);
  // With few rates, one kill can hit most of the running ones.
  if (success < rates.length * (rates.length < 200 ? 0.3 : 0.6))
    broken.push(`only ${success} of ${rates.length} have a premium`);
  promise('messages without a valid signature', run.received.filter(({ isSigned }) => !isSigned).length);
  promise('redirects that were followed', run.refused['followed'] ?? 0);
  for (const [what, count] of checkEvents(run)) promise(what, count);
  const outcomes = Map.groupBy(rates, (rate) => rate.outcome ?? 'stuck');
  return {
    rates: rates.length,
    kills: run.kills,
    pauses: run.pauses,
    outages: run.outages,
    received: run.received.length,
    refused: run.refused,
    cuts: run.followed.reduce((sum, { cuts }) => sum + cuts, 0),
    deliverySeconds: Math.round(run.deliveryMs / 100) / 10,
    outcomes: Object.fromEntries([...outcomes].map(([outcome, list]) => [outcome, list.length])),
    seconds: Math.round(run.tookMs / 100) / 10,
    recoverySeconds: Math.round(run.recoveryMs / 100) / 10,
    broken,
  };
}

function checkEvents({ rates, events, received, followed }: ChaosResult): [what: string, breaches: number][] {
  const written = new Map(events.map((event) => [event.id, event]));
  const ends = events.filter(({ type }) => type === 'rate.ended');
  const ofRate = new Map(ends.map(({ rateId, outcome }) => [rateId, outcome]));
  const contents = new Map<string, string>();
  let changed = 0;
  const content = (id: string, text: string) => {
    if ((contents.get(id) ?? text) !== text) changed++;
    contents.set(id, text);
  };
  for (const { id, body } of received) content(id, body);
  for (const { id, message } of followed.flatMap((each) => each.events)) content(id, JSON.stringify(message));
  const receivedIds = new Set(received.map(({ id }) => id));
  const numberOf = (id: string) => Number(id.slice(id.lastIndexOf('_') + 1));
  const quoteOf = (id: string) => id.slice(0, id.lastIndexOf('_'));
  let disorder = 0;
  const last = new Map<string, number>();
  for (const { id } of received) {
    const [quoteId, number] = [quoteOf(id), numberOf(id)];
    const before = last.get(quoteId) ?? 0;
    if (number > before + 1) disorder++;
    last.set(quoteId, Math.max(before, number));
  }
  const ofQuote = Map.groupBy(events, ({ id }) => quoteOf(id));
  return [
    ['rates whose end is written more or less than once', rates.length - ofRate.size + (ends.length - ofRate.size)],
    ['ends written with another outcome', rates.filter(({ id, outcome }) => ofRate.get(id) !== outcome).length],
    ['quotes whose completion is not written', [...ofQuote.values()].filter(isOpen).length],
    ['events that the endpoint did not receive', events.filter(({ id }) => !receivedIds.has(id)).length],
    ['events received out of order', disorder],
    ['received events that did not happen', [...contents.keys()].filter((id) => !written.has(id)).length],
    ['events received with two contents', changed],
    ['quotes whose followers missed or repeated an event', followed.filter(isTorn).length],
    ['quotes that could not be followed to the end', ofQuote.size - followed.filter(isWhole).length],
  ];

  function isTorn({ events: received }: (typeof followed)[number]): boolean {
    return received.some(({ message }, index) => message.data.number !== index + 1);
  }
  function isWhole({ quoteId, events: received }: (typeof followed)[number]): boolean {
    return received.length === ofQuote.get(quoteId)?.length;
  }
}

function isOpen(events: ChaosResult['events']): boolean {
  return events.filter(({ type }) => type === 'quote.completed').length !== 1;
}
