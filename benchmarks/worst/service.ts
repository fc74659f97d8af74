import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { operatorToken } from '../../test/support/journey.ts';

/** A service started with `leeward serve` and its default limits. */
export interface Service {
  readonly port: number;
  readonly operatorToken: string;
  admin(path: string, body: object, token?: string): Promise<{ status: number; body: Record<string, string> }>;
  stop(): Promise<void>;
}

/** @param root the workspace whose service is started: this one, or another version of it. */
export async function startService(root: string, variables: Readonly<Record<string, string>> = {}): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-worst-'));
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--conditions=@leeward/source',
      '--disable-warning=ExperimentalWarning',
      join(root, 'packages/apps/cli/src/main.ts'),
      'serve',
      '--carriers',
      join(root, 'fixtures/carriers'),
      '--adapters',
      join(import.meta.dirname, 'callback-carrier.ts'),
      '--workbench',
    ],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        // So that a profiler can be put into the service.
        NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '',
        PORT: '0',
        LEEWARD_DATA_DIR: folder,
        LEEWARD_OPERATOR_TOKEN: operatorToken,
        LEEWARD_LOG_LEVEL: 'silent',
        // So that endpoints of webhooks can be on this machine.
        LEEWARD_PRIVATE_WEBHOOKS: 'true',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await new Promise<string>((resolve, reject) => {
    let said = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const found = /Leeward is up at (http:\/\/\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void ended.then(() => reject(new Error(`The service ended before it was up: ${said}`)));
  });
  return {
    port: Number(new URL(url).port),
    operatorToken,
    async admin(path, body, token = operatorToken) {
      for (;;) {
        const response = await fetch(`${url}/v1/admin/${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const answer = (await response.json()) as Record<string, string>;
        if (response.status !== 429) return { status: response.status, body: answer };
        await sleep(Number(response.headers.get('retry-after')) * 1_000);
      }
    },
    async stop() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
