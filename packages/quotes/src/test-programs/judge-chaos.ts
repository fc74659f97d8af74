import type { ChaosResult } from './chaos-run.ts';

/** What a run has come to, in figures and in broken promises: of these there must be none. */
export interface ChaosVerdict {
  readonly rates: number;
  readonly kills: number;
  readonly pauses: number;
  readonly outages: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** From the end of the last disturbance to the last end of a rate. */
  readonly recoverySeconds: number;
  readonly broken: readonly string[];
}

export function judgeChaos(run: ChaosResult): ChaosVerdict {
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
  promise('successes that the counts of quotes do not have', success - counts.success);
  promise('errors that the counts of quotes do not have', withStatus('error') - counts.error);
  const twice = [...accepted].filter(([id, calls]) => calls > 1 && !idempotent.has(id));
  promise('carriers, not idempotent, that did their work twice for a rate', twice.length);
  const madeUp = rates.filter((rate) => rate.status === 'success' && !accepted.has(rate.id));
  promise('quotes that no carrier gave', madeUp.length);
  // Where a carrier can be asked again, nothing is left unknown.
  const unknown = rates.filter((rate) => idempotent.has(rate.id) && rate.outcome === 'unknown_outcome');
  promise('idempotent carriers whose answer is unknown', unknown.length);
  promise('workers that ended by themselves', run.crashes);
  if (success < rates.length * 0.6) broken.push(`only ${success} of ${rates.length} have a premium`);
  const outcomes = Map.groupBy(rates, (rate) => rate.outcome ?? 'stuck');
  return {
    rates: rates.length,
    kills: run.kills,
    pauses: run.pauses,
    outages: run.outages,
    outcomes: Object.fromEntries([...outcomes].map(([outcome, list]) => [outcome, list.length])),
    seconds: Math.round(run.tookMs / 100) / 10,
    recoverySeconds: Math.round(run.recoveryMs / 100) / 10,
    broken,
  };
}
