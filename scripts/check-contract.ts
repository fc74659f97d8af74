/**
 * `npm run check:contract [-- --write]`
 *
 * Checks the contract from outside. It starts a demo and reads its document:
 * 1. The document follows the rules of OpenAPI (redocly), and every example matches its schema.
 * 2. The client's types equal the committed ones (openapi-typescript). `--write` renews them.
 * 3. Clients of openapi-typescript, hey-api and orval refuse mistakes in requests as type errors.
 * 4. A journey through a proxy (prism) that checks each request and response against the document has no violation.
 *
 * Its programs have a lockfile in `contract/` and are installed on demand.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { checkStrictClients } from './contract/strict-clients.ts';

const workspace = resolve(import.meta.dirname, '..');
const folder = join(workspace, 'contract');
const documentFile = join(folder, 'openapi.json');
const typesFile = join(workspace, 'packages/core/http/src/client/paths.generated.ts');
const source = '--conditions=@leeward/source';

/** Puts this process's Node first, and disables telemetry of the programs. */
const environment = {
  ...process.env,
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  SCARF_ANALYTICS: 'false',
};

// The service and its client are read from their source.
if (!process.execArgv.includes(source)) {
  const words = [source, '--disable-warning=ExperimentalWarning', ...process.argv.slice(1)];
  process.exit(spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1);
}

const { startDemo } = await import('../test/support/demo.ts');
const { operatorToken, runJourney } = await import('../test/support/journey.ts');

function run(program: string, ...words: string[]): string {
  const path = join(folder, 'node_modules/.bin', program);
  return execFileSync(path, words, { cwd: workspace, env: environment, encoding: 'utf8', stdio: 'pipe' });
}

const failures: string[] = [];

async function step(name: string, check: () => unknown): Promise<void> {
  try {
    console.log(`${name}: ${(await check()) ?? 'good'}`);
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    failures.push(`${name}\n${`${stdout}${stderr}`.trim() || message}`);
  }
}

function install(): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    env: environment,
    stdio: 'inherit',
  });
}

function lint(): string {
  const { totals } = JSON.parse(
    run('redocly', 'lint', documentFile, '--config', join(folder, 'redocly.yaml'), '--format=json'),
  ) as {
    totals: { errors: number; warnings: number; ignored: number };
  };
  return `no fault, ${totals.ignored} of its rules rightly not kept`;
}

function compareTypes(): string {
  const written = run('openapi-typescript', documentFile, '--empty-objects-unknown');
  if (process.argv.includes('--write')) writeFileSync(typesFile, written);
  const committed = existsSync(typesFile) ? readFileSync(typesFile, 'utf8') : '';
  if (committed === written) return `${written.split('\n').length} lines, as committed`;
  throw new Error(
    `${typesFile} is not what the document gives. Run "npm run check:contract -- --write" and look at what changed.`,
  );
}

/** Forwards requests to `upstream`. The header `x-spoil` corrupts the response. */
async function startBetween(upstream: string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    );
    const answer = await fetch(`${upstream}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
    });
    const text = await answer.text();
    response.writeHead(
      answer.status,
      [...answer.headers]
        .filter(([name]) => !/^(connection|keep-alive|transfer-encoding|content-length|content-encoding)$/.test(name))
        .flat(),
    );
    response.end(request.headers['x-spoil'] ? text.replace('"ok"', '"spoilt"') : text);
  });
  await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function startProxy(upstream: string): Promise<{ url: string; process: ChildProcess }> {
  const words = ['proxy', 'openapi.json', upstream, '--errors', '--host', '127.0.0.1', '--port', '0'];
  const path = join(folder, 'node_modules/.bin/prism');
  const child = spawn(path, words, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((found, failed) => {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /listening on (http:\S+)/.exec(said)?.[1];
      if (address !== undefined) found(address);
    });
    child.once('close', () => failed(new Error(`The proxy ended:\n${said}`)));
  });
  return { url, process: child };
}

async function journey(demo: Awaited<ReturnType<typeof startDemo>>): Promise<string> {
  const between = await startBetween(demo.url);
  const proxy = await startProxy(between.url);
  try {
    // Control: the proxy must report a corrupted response.
    const spoilt = await fetch(`${proxy.url}/healthz`, { headers: { 'x-spoil': '1' } });
    const problem = await spoilt.text();
    if (spoilt.status !== 500 || !problem.includes('VIOLATIONS'))
      throw new Error(`The proxy let a spoilt answer pass: ${spoilt.status} ${problem}`);
    const asked = await runJourney(proxy.url, demo.keys, { announced: false });
    return `${asked.size} operations, no violation`;
  } finally {
    proxy.process.kill();
    between.server.closeAllConnections();
    between.server.close();
  }
}

install();
const demo = await startDemo({
  apart: 'leeward',
  signIn: true,
  environment: { LEEWARD_LOG_LEVEL: 'silent', LEEWARD_RATE_LIMIT: '0', LEEWARD_OPERATOR_TOKEN: operatorToken },
});
try {
  const document: unknown = await (await fetch(`${demo.url}/openapi.json`)).json();
  writeFileSync(documentFile, `${JSON.stringify(document, null, 2)}\n`);
  await step('Rules of OpenAPI', lint);
  await step('Types of the client', compareTypes);
  await step('Clients of other generators', () => checkStrictClients(run, documentFile, folder));
  await step('Journey through a proxy', () => journey(demo));
} finally {
  await demo.stop();
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;
