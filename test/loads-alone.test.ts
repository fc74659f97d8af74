import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeFlags } from './support/node-flags.ts';
import { workspace } from './support/running-leeward.ts';

const run = promisify(execFile);

/** Every module that steps of code, one after the other in one process, have brought along, built in or not, as Node resolves them. */
async function modulesAfter(steps: readonly string[]): Promise<string[][]> {
  const listen = `
    import { registerHooks } from 'node:module';
    const seen = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        seen.add(found.url);
        return found;
      },
    });
    const after = [];
    ${steps.map((code) => `{ ${code} } after.push([...seen]);`).join('\n')}
    process.stdout.write(JSON.stringify(after));`;
  const flags = [...nodeFlags, '--input-type=module'];
  const options = { cwd: workspace, maxBuffer: 1 << 24 };
  const { stdout } = await run(process.execPath, [...flags, '--eval', listen], options);
  return JSON.parse(stdout) as string[][];
}

/** `@leeward/places`, `zod`, `node:vm`: what a module belongs to. */
function ownerOf(url: string): string {
  const inModules = url.split('/node_modules/').at(-1) ?? url;
  if (inModules !== url)
    return inModules
      .split('/')
      .slice(0, inModules.startsWith('@') ? 2 : 1)
      .join('/');
  const inPackages = /\/packages\/(?:core|extend|apps)\/([^/]+)\//.exec(url);
  return inPackages ? `@leeward/${inPackages[1]}` : url;
}

const importOfCommand = (path: string) => `await import(${JSON.stringify(`./packages/apps/cli/src/${path}`)});`;

const decide = `
  const { createCatalog, parseRequest } = await import('@leeward/engine');
  const catalog = createCatalog([{ file: {
    format: 1, carrier: { key: 'a', name: 'A' }, version: '1', effective: { from: '2026-01-01' },
    programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }],
  } }]);
  const { request } = parseRequest({ state: 'tx', policy_type: 'ho3' }, { now: new Date('2026-11-20T12:00:00Z') });
  const { verdicts } = await catalog.decide(request.property);
  if (verdicts[0].status !== 'eligible') throw new Error(verdicts[0].status);`;

describe('the engine', () => {
  let decided: string[];
  let referred: string[];
  let more: string[];
  beforeAll(async () => {
    const byReference = decide.replace('} }]', "} }], { evaluator: 'reference' }");
    const strangers = `await import('@leeward/places'); await import('node:http');`;
    [decided, referred, more] = (await modulesAfter([decide, byReference, strangers])) as [
      string[],
      string[],
      string[],
    ];
  });

  it('loads no server, no database and no geocoder, and of places the counties and their extents alone', () => {
    const owners = new Set(decided.map(ownerOf));
    for (const owner of owners) expect(owner).not.toMatch(/^@leeward\/(?!engine$|places$|terms$)/);
    expect(
      decided
        .filter((url) => url.includes('/packages/core/places/'))
        .every((url) => /\/(counties|extents)\/|\/(byte-reader|bytes-of-base64)\.ts$/.test(url)),
    ).toBe(true);
    expect([...owners].sort()).toEqual([
      '@leeward/engine',
      '@leeward/places',
      '@leeward/terms',
      '@noble/hashes',
      'canonicalize',
      'fastest-levenshtein',
      'zod',
    ]);
  });

  it('loads json-rules-engine on the first use of its evaluator', () => {
    const owners = new Set(referred.map(ownerOf));
    // jsonpath-plus, a dependency of json-rules-engine, imports it; its feature is never used.
    expect([...owners].filter((owner) => owner.startsWith('node:'))).toEqual(['node:vm']);
    expect(owners).toContain('json-rules-engine');
  });

  it('with a module that does not belong there is seen', () => {
    expect(more).toContain('node:http');
    expect(more.some((url) => url.includes('/packages/core/places/') && !url.includes('/counties/'))).toBe(true);
  });
});

it('commands that serve nothing load no server and no database; nor does a worker before it knows what for', async () => {
  const commands = [
    ...['commands/coast.ts', 'commands/places.ts', 'commands/quote.ts', 'rules/rules-command.ts'],
    'commands/worker.ts',
  ];
  const [modules] = await modulesAfter([commands.map(importOfCommand).join('\n')]);
  const owners = new Set(modules!.map(ownerOf));
  expect(
    modules!.filter((url) => /\/packages\/core\/(http\/src\/leeward|database\/src\/index)\.ts$/.test(url)),
  ).toEqual([]);
  for (const owner of ['@leeward/coast', '@leeward/http', '@leeward/engine', 'zod']) expect(owners).toContain(owner);
  for (const owner of ['@leeward/quotes', '@leeward/accounts', 'kysely', 'pino', '@opentelemetry/api', 'prom-client'])
    expect(owners).not.toContain(owner);
});

describe('before their first use', () => {
  let service: string[];
  let serve: string[];
  beforeAll(async () => {
    const packages = `await import('@leeward/http'); await import('@leeward/http/node');`;
    [service, serve] = (await modulesAfter([packages, importOfCommand('commands/serve.ts')])) as [string[], string[]];
  });

  it('the whole service loads no driver, no queue, no server and no data', () => {
    const owners = new Set(service.map(ownerOf));
    expect(owners).toContain('@leeward/quotes');
    const later = ['pg', 'node:sqlite', 'ioredis', 'bullmq', 'pg-boss', '@leeward/coastline-us', '@hono/node-server'];
    for (const owner of [...later, 'json-rules-engine', '@leeward/cli']) expect([...owners]).not.toContain(owner);
  });

  it('the serve command loads no book reader, address import or compiler', () => {
    const owners = new Set(serve.map(ownerOf));
    expect(owners).toContain('@leeward/workbench');
    for (const owner of ['esbuild', '@leeward/books', '@leeward/rows', 'stream-json', 'shapefile', 'yauzl'])
      expect(owners).not.toContain(owner);
  });
});
