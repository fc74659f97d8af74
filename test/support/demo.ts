import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runLeewardHere } from './leeward-here.ts';
import { startLeeward } from './leeward-process.ts';
import type { Ended, RunningLeeward } from './running-leeward.ts';

/** Contents of `demo.json`. */
export interface DemoKeys {
  readonly url: string;
  readonly api_key: string;
  readonly organization_id: string;
  readonly team_id: string;
  readonly team_token: string;
  readonly producer_email: string;
  readonly admin_token: string;
  readonly author_token: string;
  readonly approver_token: string;
}

export interface Demo {
  readonly url: string;
  readonly keys: DemoKeys;
  readonly apiKey: string;
  readonly dataFolder: string;
  readonly leeward: RunningLeeward;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<Ended>;
}

interface DemoOptions {
  /** Run in a separate process: as `leeward serve --demo`, or through `npm start`. */
  readonly apart?: 'leeward' | 'npm';
  readonly environment?: Readonly<Record<string, string>>;
  /** Start the sandbox provider too. */
  readonly signIn?: boolean;
}

/** Starts a separate demo on any free port, with an empty data folder that is removed on stop. */
export async function startDemo({ apart, environment: given, signIn = false }: DemoOptions = {}): Promise<Demo> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-demo-'));
  const options = { environment: { PORT: '0', LEEWARD_DATA_DIR: dataFolder, ...given } };
  const words = ['serve', '--demo', ...(signIn ? ['--sign-in'] : [])];
  const leeward =
    apart === undefined
      ? runLeewardHere(words, options)
      : startLeeward(words, { ...options, ...(apart === 'npm' && { npm: true }) });
  await leeward.says('Stop: Ctrl+C');
  const keys = JSON.parse(readFileSync(join(dataFolder, 'demo.json'), 'utf8')) as DemoKeys;
  const { url, api_key: apiKey } = keys;
  return {
    url,
    keys,
    apiKey,
    dataFolder,
    leeward,
    post: (path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async stop() {
      const end = await leeward.stop();
      rmSync(dataFolder, { recursive: true, force: true });
      return end;
    },
  };
}
