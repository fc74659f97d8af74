import { createSandboxCarrier, type SandboxOptions } from '../carriers/sandbox/sandbox-carrier.ts';
import type { CarrierAdapter, CarrierAnswer } from '../ports/carrier-adapter.ts';

export type ChaosBackend = 'p-queue' | 'bullmq' | 'pg-boss';

export interface OverHttp {
  readonly module: string;
  readonly url: string;
}

export interface ChaosSettings {
  readonly backend: ChaosBackend;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly queueName: string;
  readonly ledger: string;
  /** @default no carrier over HTTP */
  readonly overHttp?: OverHttp | undefined;
}

export interface ChaosOrders {
  readonly queues: readonly ChaosSettings[];
  readonly clockOffsetMs: number;
}

/** Timed-out calls on a busy machine would leave little to check. */
export const DEADLINE_MS = 2500;
export const LEASE_MARGIN_MS = 1000;

const faults = {
  reset_after_work: 0.05,
  error_after_work: 0.03,
  connection_refused: 0.06,
  rate_limited: 0.02,
  hang: 0.02,
  nonsense: 0.01,
};
const limits = { concurrency: 8, deadlineMs: DEADLINE_MS, maxAttempts: 8, backoff: { initialMs: 50, maxMs: 500 } };

/** Faulty alike: one works at every call, one supports lookup, one is idempotent, one answers later, and optionally one over HTTP. */
export async function chaosCarriers({
  ledger,
  overHttp,
}: Pick<ChaosSettings, 'ledger' | 'overHttp'>): Promise<CarrierAdapter[]> {
  const offers: NonNullable<SandboxOptions['offers']> = [{ formTypes: ['ho3', 'ho5'] }];
  const base: SandboxOptions = { offers, latencyMs: [20, 120], faults, limits, ledger };
  return [
    createSandboxCarrier({ ...base, key: 'at_every_call', name: 'At Every Call' }),
    createSandboxCarrier({ ...base, key: 'looked_up', name: 'Looked Up', lookup: true }),
    createSandboxCarrier({ ...base, key: 'idempotent', name: 'Idempotent', idempotent: true }),
    answersLater(createSandboxCarrier({ ...base, key: 'answers_later', name: 'Answers Later', lookup: true })),
    ...(overHttp === undefined ? [] : [await adapterOf(overHttp)]),
  ];
}

export const httpCarrierKey = 'over_http';

async function adapterOf({ module, url }: OverHttp): Promise<CarrierAdapter> {
  const { default: createAdapter } = (await import(module)) as { default: (url: string) => CarrierAdapter };
  return createAdapter(url);
}

function answersLater(carrier: CarrierAdapter): CarrierAdapter {
  const later = (looks: number): CarrierAnswer => ({
    outcome: 'pending',
    pending: { keep: { looks }, pollAfterMs: 400 },
  });
  return {
    ...carrier,
    async quote(request, context) {
      await carrier.quote(request, context);
      return later(0);
    },
    async resume(request, context) {
      const looks = Number(context.keep['looks']) + 1;
      const lookup = await carrier.lookup!(request, context);
      if (looks < 3) return later(looks);
      if (lookup.status !== 'found') throw new Error('The carrier does not know the request that it accepted.');
      return lookup.answer;
    },
  };
}
