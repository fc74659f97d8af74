import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { workspace } from './support/running-leeward.ts';

const folder = join(workspace, '.leeward', `pages-${process.pid}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes the named examples of a page: pairs of a module and its test. @returns the pairs. */
function examplesOf(page: string): readonly { readonly code: string; readonly test: string }[] {
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(workspace, 'docs', page), 'utf8');
  const files = [...text.matchAll(/^```ts\n\/\/ (\S+\.ts)\n(.*?)^```$/gms)].map(([, name, code]) => {
    const path = join(folder, name!);
    writeFileSync(path, code!);
    return { path, code: code! };
  });
  const pairs = files.flatMap(({ code }, index) =>
    index % 2 === 0 ? [{ code, test: files[index + 1]?.path ?? '' }] : [],
  );
  expect(pairs.map(({ test }) => test)).not.toContain('');
  return pairs;
}

const [queue, natsQueue, ...otherQueues] = examplesOf('queue-backends.md');
describe('the queue of the page', async () => {
  await import(pathToFileURL(queue!.test).href);
  it.each([queue, natsQueue])('has at most 80 lines', (example) =>
    expect(example!.code.trimEnd().split('\n').length).toBeLessThanOrEqual(80),
  );
  it('is one of two', () => expect(otherQueues).toEqual([]));
});

const hasNats = spawnSync('nats-server', ['--version']).status === 0;
if (!hasNats && process.env['LEEWARD_REQUIRE_SERVICES'] === '1') {
  throw new Error('LEEWARD_REQUIRE_SERVICES is 1, but nats-server is not on the path.');
}
describe.skipIf(!hasNats)(`the queue in NATS JetStream${hasNats ? '' : ' (skipped: no nats-server)'}`, async () => {
  if (!hasNats) return it('runs');
  const data = mkdtempSync(join(tmpdir(), 'leeward-nats-'));
  const port = await freePort();
  const server = spawn('nats-server', ['-js', '-a', '127.0.0.1', '-p', `${port}`, '-sd', data]);
  afterAll(() => {
    server.kill();
    rmSync(data, { recursive: true, force: true });
  });
  const output = server.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false });
  for await (const lines of output) if (String(lines).includes('Server is ready')) break;
  server.stderr.resume();
  process.env['NATS_URL'] = `nats://127.0.0.1:${port}`;
  await import(pathToFileURL(natsQueue!.test).href);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const [adapter] = examplesOf('carrier-adapters.md');
describe('the adapter of the page', async () => {
  await import(pathToFileURL(adapter!.test).href);
});
