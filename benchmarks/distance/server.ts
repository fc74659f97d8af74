import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Server {
  readonly url: string;
  readonly token: string;
  /** Removed on stop. */
  readonly folder: string;
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const program = join(root, 'packages/apps/cli/dist/main.js');
const options = ['--disable-warning=ExperimentalWarning', program];

/** `leeward serve` as it is built, with a key of one organization, no limit of requests and no log. */
export async function startServer(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'leeward-bench-distance-'));
  const env = {
    PORT: '0',
    LEEWARD_DATA_DIR: folder,
    LEEWARD_CARRIERS: join(root, 'fixtures/carriers'),
    LEEWARD_RATE_LIMIT: '0',
    LEEWARD_LOG_LEVEL: 'silent',
  };
  const command = (...words: readonly string[]) =>
    execFileSync(process.execPath, [...options, ...words], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const created = JSON.parse(command('organization', 'create', 'Benchmark', '--json')) as { organization_id: string };
  const token = command('token', 'create', '--organization', created.organization_id, '--name', 'benchmark').trim();
  const child = spawn(process.execPath, [...options, 'serve'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let output = '';
  let url: string | undefined;
  child.stdout.setEncoding('utf8');
  for await (const text of child.stdout as AsyncIterable<string>) {
    output += text;
    url = /up at (\S+) with/.exec(output)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error(`The server ended:\n${output}`);
  return {
    url,
    token,
    folder,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
