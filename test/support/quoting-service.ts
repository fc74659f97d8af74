import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually as eventuallyWithin } from '../../packages/core/quotes/src/testing/suite.ts';
import type { DemoKeys } from './demo.ts';
import { runLeewardHere } from './leeward-here.ts';
import { type LeewardProcess, startLeeward } from './leeward-process.ts';
import { type RunningLeeward, workspace } from './running-leeward.ts';
import { smallCoastline } from './small-coastline.ts';

/** Starts `leeward <words>` with a small coastline, and waits until it reports that it is ready. */
export async function startQuoting(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<LeewardProcess> {
  const leeward = startLeeward(words, { environment: { PORT: '0', ...smallCoastline, ...environment } });
  await leeward.says(/Leeward .*is up/);
  return leeward;
}

/** Like `startQuoting`, but in this process. */
export async function startQuotingHere(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<RunningLeeward> {
  const leeward = runLeewardHere(words, { environment: { PORT: '0', ...smallCoastline, ...environment } });
  await leeward.says(/Leeward .*is up/);
  return leeward;
}

export interface WireRate {
  readonly id: string;
  readonly status: string;
  readonly outcome: string | null;
  readonly premium: string | null;
  readonly carrier_key: string;
  readonly attempts: number;
  readonly started_at: string | null;
  readonly finished_at: string | null;
}

export interface WireQuote {
  readonly quote_request_id: string;
  readonly status: string;
  readonly counts: { readonly processing: number; readonly success: number; readonly error: number };
  readonly rate_index: readonly { readonly id: string; readonly carrier_key: string }[];
  readonly rates: readonly WireRate[];
}

/** Quoting as the demo's team, at a service that listens at `url`. */
export function createQuoter(url: string, keys: Pick<DemoKeys, 'team_token' | 'producer_email'>) {
  const post = async <Answer>(path: string, body: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.team_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Answer;
  };
  const fixture = JSON.parse(
    readFileSync(join(workspace, 'fixtures/quotes/marion-fl-2004-ho3.json'), 'utf8'),
  ) as object;
  return {
    create: (more: object = {}) =>
      post<WireQuote>('/api/v1/quote/request', {
        ...fixture,
        assigned_producer_email: keys.producer_email,
        ...more,
      }),
    status: (id: string) => post<WireQuote>(`/api/v1/quote/${id}`, { include_rates: true }),
  };
}

export interface SandboxCall {
  readonly call: 'accepted' | 'repeated' | 'refused';
  readonly rate_id: string;
}

/** The calls that the demo's sandbox carrier has had so far. */
export function sandboxCalls(dataFolder: string): SandboxCall[] {
  const ledger = join(dataFolder, 'sandbox-calls.ndjson');
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as SandboxCall);
}

/** A machine with other work takes so many times as long: who waits for what will be waits for it all the same. */
const PATIENCE = 4;

/** Waits until `condition` holds. Fails with the text of `describe` after `PATIENCE` times the usual time. */
export function eventually(
  condition: () => boolean | Promise<boolean>,
  describe: () => string,
  timeoutMs: number,
): Promise<void> {
  return eventuallyWithin(condition, describe, PATIENCE * timeoutMs);
}
