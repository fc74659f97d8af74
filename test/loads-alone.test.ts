import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { nodeFlags } from './support/node-flags.ts';
import { workspace } from './support/running-leeward.ts';

const run = promisify(execFile);

/** Every module that an import brings along, built in or not, as Node resolves them. */
async function modulesOf(code: string): Promise<string[]> {
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
    ${code}
    process.stdout.write(JSON.stringify([...seen]));`;
  const flags = [...nodeFlags, '--input-type=module'];
  const { stdout } = await run(process.execPath, [...flags, '--eval', listen], { cwd: workspace });
  return JSON.parse(stdout) as string[];
}

/** `@leeward/places`, `zod`, `node:vm`: what a module belongs to. */
function ownerOf(url: string): string {
  const inModules = url.split('/node_modules/').at(-1) ?? url;
  if (inModules !== url)
    return inModules
      .split('/')
      .slice(0, inModules.startsWith('@') ? 2 : 1)
      .join('/');
  const inPackages = /\/packages\/([^/]+)\//.exec(url);
  return inPackages ? `@leeward/${inPackages[1]}` : url;
}

const decide = `
  const { createCatalog, parseRequest } = await import('@leeward/engine');
  const catalog = createCatalog([{ file: {
    format: 1, carrier: { key: 'a', name: 'A' }, version: '1', effective: { from: '2026-01-01' },
    programs: [{ id: 'all', policy_types: ['ho3'], states: ['tx'] }],
  } }]);
  const { request } = parseRequest({ state: 'tx', policy_type: 'ho3' }, { now: new Date('2026-11-20T12:00:00Z') });
  const { verdicts } = await catalog.decide(request.property);
  if (verdicts[0].status !== 'eligible') throw new Error(verdicts[0].status);`;

it('the engine loads no server, no database and no geocoder, and of places the counties alone', async () => {
  const modules = await modulesOf(decide);
  const owners = new Set(modules.map(ownerOf));
  for (const owner of owners) expect(owner).not.toMatch(/^@leeward\/(?!engine$|places$|terms$)/);
  expect(modules.filter((url) => url.includes('/packages/places/')).every((url) => url.includes('/counties/'))).toBe(
    true,
  );
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

it('the engine loads json-rules-engine when the reference evaluator is first asked', async () => {
  const owners = new Set((await modulesOf(decide.replace('} }]', "} }], { evaluator: 'reference' }"))).map(ownerOf));
  // Asked for by jsonpath-plus, which json-rules-engine brings; what it offers is never used.
  expect([...owners].filter((owner) => owner.startsWith('node:'))).toEqual(['node:vm']);
  expect(owners).toContain('json-rules-engine');
});

it('the whole service loads no driver, no queue, no server and no data before they are asked for', async () => {
  const owners = new Set(
    (await modulesOf(`await import('@leeward/http'); await import('@leeward/http/node');`)).map(ownerOf),
  );
  expect(owners).toContain('@leeward/quotes');
  const later = ['pg', 'node:sqlite', 'ioredis', 'bullmq', 'pg-boss', '@leeward/coastline-us', '@hono/node-server'];
  for (const owner of [...later, 'json-rules-engine', 'leeward']) expect([...owners]).not.toContain(owner);
});

it('sees a module that does not belong there', async () => {
  const modules = await modulesOf(`${decide} await import('@leeward/places'); await import('node:http');`);
  expect(modules).toContain('node:http');
  expect(modules.some((url) => url.includes('/packages/places/') && !url.includes('/counties/'))).toBe(true);
});

it('commands that serve nothing load no server and no database', async () => {
  const commands = ['commands/coast.ts', 'commands/places.ts', 'commands/quote.ts', 'rules/rules-command.ts'];
  const modules = await modulesOf(
    commands.map((path) => `await import(${JSON.stringify(`./packages/cli/src/${path}`)});`).join('\n'),
  );
  const owners = new Set(modules.map(ownerOf));
  expect(modules.filter((url) => /\/packages\/(http\/src\/leeward|database\/src\/index)\.ts$/.test(url))).toEqual([]);
  for (const owner of ['@leeward/coast', '@leeward/http', '@leeward/engine', 'zod']) expect(owners).toContain(owner);
  for (const owner of ['@leeward/quotes', '@leeward/accounts', 'kysely', 'pino', '@opentelemetry/api', 'prom-client'])
    expect(owners).not.toContain(owner);
});
