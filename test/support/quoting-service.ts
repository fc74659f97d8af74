import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoKeys, workspace } from './leeward-process.ts';
import { smallCoastline } from './small-coastline.ts';

/** One process of a quoting service. */
export interface QuotingProcess {
  readonly process: ChildProcess;
  /** Resolves with its exit code (null where a signal ended it) and what it wrote. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
  output(): string;
}

const running = new Set<ChildProcess>();

/** For after all tests of a file: one that fails leaves nothing running. */
export function killLeftovers(): void {
  for (const child of running) child.kill('SIGKILL');
}

/**
 * Starts `leeward <words>` and waits until it says that it is up. Without the wrapper that installed programs have, so
 * that a signal reaches the process that works. Its coastline is small.
 */
export async function startQuoting(
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<QuotingProcess> {
  const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, join(workspace, 'packages/cli/src/main.ts'), ...words], {
    cwd: workspace,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_OPTIONS: process.env['NODE_OPTIONS'],
      PORT: '0',
      ...smallCoastline,
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('close', () => running.delete(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  while (!/Leeward .*is up/.test(output)) {
    const end = await Promise.race([ended, sleep(50).then(() => undefined)]);
    if (end) throw new Error(`leeward ${words.join(' ')} ended (${end.code}):\n${end.output}`);
  }
  return { process: child, ended, output: () => output };
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

/** Waits until `condition` holds, and fails with what `describe` says when it does not in `PATIENCE` times the usual time. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  describe: () => string,
  timeoutMs: number,
): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const elapsed = performance.now() - start;
    if (elapsed > PATIENCE * timeoutMs) throw new Error(`Not so after ${PATIENCE * timeoutMs} ms: ${describe()}`);
    // Asking takes work from those who are asked: what takes longer is asked for more seldom.
    await sleep(Math.min(1_000, 50 + elapsed / 10));
  }
}
