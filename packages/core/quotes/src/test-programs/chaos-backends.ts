import { type TestEngine, testEngines } from '@leeward/database/testing';
import { findRedis } from '../testing/find-redis.ts';
import type { ChaosBackend } from './chaos-settings.ts';

export interface BackendUnderChaos {
  readonly backend: ChaosBackend;
  readonly engine: TestEngine;
  readonly redisUrl: string;
  readonly skip: string | undefined;
}

export async function chaosBackends(): Promise<BackendUnderChaos[]> {
  const redis = await findRedis();
  const [sqlite, postgres] = await testEngines();
  const redisUrl = 'url' in redis ? redis.url : '';
  const noRedis = 'unreachable' in redis ? redis.unreachable : undefined;
  return [
    { backend: 'p-queue', engine: sqlite!, redisUrl, skip: undefined },
    { backend: 'bullmq', engine: postgres!, redisUrl, skip: postgres?.skip ?? noRedis },
    { backend: 'pg-boss', engine: postgres!, redisUrl, skip: postgres?.skip },
  ];
}
