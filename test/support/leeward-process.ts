import './checked-fetch.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const workspace = resolve(import.meta.dirname, '../..');

/** What a command said and how it ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export interface LeewardProcess {
  readonly process: ChildProcess;
  /** What was written to standard output so far. */
  output(): string;
  /** Resolves once standard output holds the text; rejects when the process ends without. */
  says(text: string): Promise<void>;
  ended: Promise<Ended>;
}

/**
 * Runs the program behind `leeward`, or `npm start`, with nothing of our own environment but what it needs. Without the wrapper that
 * installed programs have: a test of its own starts that.
 */
export function startLeeward(
  words: readonly string[],
  options: { environment?: Record<string, string>; npm?: true; folder?: string } = {},
): LeewardProcess {
  const environment = {
    PATH: `${join(workspace, 'node_modules', '.bin')}:${process.env['PATH']}`,
    HOME: process.env['HOME'],
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    NODE_OPTIONS: process.env['NODE_OPTIONS'],
  };
  const flags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];
  const [command, ...rest] = options.npm
    ? ['npm', 'start', '--silent']
    : [process.execPath, ...flags, join(workspace, 'packages/cli/src/main.ts'), ...words];
  const child = spawn(command, rest, {
    cwd: options.folder ?? workspace,
    env: { ...environment, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]): Ended => ({ code: code as number | null, output, errors }));
  return {
    process: child,
    output: () => output,
    async says(text) {
      while (!output.includes(text)) {
        const end = await Promise.race([ended, once(child.stdout, 'data').then(() => undefined)]);
        if (end && !output.includes(text))
          throw new Error(`leeward ended (${end.code}) without "${text}":\n${output}${errors}`);
      }
    },
    ended,
  };
}

/** What `demo.json` says. */
export interface DemoKeys {
  readonly url: string;
  readonly api_key: string;
  readonly organization_id: string;
  readonly team_id: string;
  readonly team_token: string;
  readonly producer_email: string;
  readonly admin_token: string;
}

export interface Demo {
  readonly url: string;
  readonly keys: DemoKeys;
  readonly apiKey: string;
  readonly dataFolder: string;
  readonly leeward: LeewardProcess;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<Ended>;
}

/** A demo of its own: any free port, an empty data folder, gone when stopped. */
export async function startDemo(options: { npm?: true; environment?: Record<string, string> } = {}): Promise<Demo> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'leeward-demo-'));
  const environment = { PORT: '0', LEEWARD_DATA_DIR: dataFolder, ...options.environment };
  const leeward = startLeeward(['serve', '--demo'], { ...options, environment });
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
      leeward.process.kill('SIGTERM');
      const end = await leeward.ended;
      rmSync(dataFolder, { recursive: true, force: true });
      return end;
    },
  };
}
