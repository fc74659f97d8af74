import { createSandboxCarrier, type SandboxOptions } from '../carriers/sandbox/sandbox-carrier.ts';
import type { CarrierAdapter } from '../ports/carrier-adapter.ts';

export type ChaosBackend = 'p-queue' | 'bullmq' | 'pg-boss';

/** What a worker of a chaos run is told. */
export interface ChaosSettings {
  readonly backend: ChaosBackend;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Prefix in Redis, schema in PostgreSQL. */
  readonly queueName: string;
  readonly ledger: string;
  /** How wrong this worker's clock is. */
  readonly clockOffsetMs: number;
}

export const deadlineMs = 1000;
export const leaseMarginMs = 1000;
export const redispatchMs = 2000;

const faults = {
  reset_after_work: 0.05,
  error_after_work: 0.03,
  connection_refused: 0.06,
  rate_limited: 0.02,
  hang: 0.02,
  nonsense: 0.01,
};
const limits = { concurrency: 8, deadlineMs, maxAttempts: 8, backoff: { initialMs: 50, maxMs: 500 } };

/** Three carriers, faulty alike: one that does its work at every call, one that can be looked up, one that is idempotent. */
export function chaosCarriers(ledger: string): CarrierAdapter[] {
  const offers: NonNullable<SandboxOptions['offers']> = [{ formTypes: ['ho3', 'ho5'] }];
  const base: SandboxOptions = { offers, latencyMs: [20, 120], faults, limits, ledger };
  return [
    createSandboxCarrier({ ...base, key: 'at_every_call', name: 'At Every Call' }),
    createSandboxCarrier({ ...base, key: 'looked_up', name: 'Looked Up', lookup: true }),
    createSandboxCarrier({ ...base, key: 'idempotent', name: 'Idempotent', idempotent: true }),
  ];
}
