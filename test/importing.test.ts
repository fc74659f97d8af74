import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFolders } from '../scripts/package-folders.ts';
import { nodeFlags } from './support/node-flags.ts';
import { workspace } from './support/running-leeward.ts';
import type { ImportReport } from './support/watch-imports.program.ts';

const run = promisify(execFile);

/** All public modules of all packages: their roots and every other export. */
const offered = packageFolders(workspace).flatMap(({ path: folder }) => {
  const text = readFileSync(join(workspace, folder, 'package.json'), 'utf8');
  const { name, exports } = JSON.parse(text) as { name: string; exports: Record<string, unknown> };
  return Object.entries(exports)
    .filter(([, target]) => typeof target === 'object')
    .map(([path]) => name + path.slice(1));
});
/** Programs that threads run, no modules to import. */
const specifiers = offered.filter((specifier) => !specifier.endsWith('-worker') && !isLowered(specifier));

/** Returns true if older Node versions need the module lowered by a program, which a confined process cannot start. */
function isLowered(specifier: string): boolean {
  return specifier === '@leeward/address-book' && Number(process.versions.node.split('.')[0]) < 24;
}

/** Confined: Node may write only its compile cache, and may start no process or thread and load no native code. */
const { NODE_COMPILE_CACHE: compiled } = process.env;
const confined = ['--permission', '--allow-fs-read=*', ...(compiled ? [`--allow-fs-write=${compiled}`] : [])];

/** A program that creates a service and sends it one request, imported after all public modules. */
const service = join(workspace, 'test/support/answering-service.program.ts');

/** A process that imports all of them, reports, and ends when nothing is left to be done, else is killed. */
async function importAll(all: readonly string[], flags = confined): Promise<Record<string, ImportReport>> {
  const program = join(workspace, 'test/support/watch-imports.program.ts');
  const { stdout, stderr } = await run(process.execPath, [...flags, ...nodeFlags, program, ...all], {
    env: { ...process.env, LEEWARD_KEY: `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}` },
    timeout: 120_000,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Record<string, ImportReport>;
}

describe('importing', () => {
  let reports: Record<string, ImportReport>;
  beforeAll(async () => {
    reports = await importAll([...specifiers, service]);
  });

  it.each(specifiers)('%s starts nothing and changes nothing', (specifier) => {
    const { changed, ...report } = reports[specifier]!;
    expect(report).toEqual({ started: [], listening: [] });
    // zod keeps state shared by all its copies under two global names.
    expect(changed.filter((name) => !name.startsWith('__zod_global'))).toEqual([]);
  });

  it('a service that answers a request starts nothing either, and its process ends', () => {
    const { told, failure } = reports[service]!;
    expect({ told, failure }).toEqual({ told: { made: [], status: 200, same: true }, failure: undefined });
  });

  it('every package is among them', () => {
    const packages = packageFolders(workspace).map(({ name }) => name);
    expect(new Set(specifiers.map((each) => each.replace(/^@leeward\//, '').split('/')[0]))).toEqual(
      new Set(packages.map((folder) => (folder === 'cli' ? 'leeward' : folder))),
    );
  });
});

describe('the watch', () => {
  /** Reports of all imports, one after another in one process. */
  let reports: ImportReport[];
  beforeAll(async () => {
    const specifiers = [
      'setTimeout(() => {}, 1).unref()',
      'import { createServer } from "node:http"; createServer().listen(0).unref()',
      'process.on("SIGTERM", () => {}); process.exitCode = 0',
      'globalThis.Request = class {}',
      'globalThis.fetch = async () => {}',
      'import fs from "node:fs"; fs.writeFileSync("/tmp/planted", "")',
      'import http from "node:http"; http.request = 1',
      'Array.prototype.last = 1',
    ].map((code) => `data:text/javascript,${encodeURIComponent(code)}`);
    const all = await importAll(specifiers);
    reports = specifiers.map((specifier) => all[specifier]!);
  });

  it('sees what an import starts', () => {
    const [timer, server, signal] = reports;
    expect(timer!.started).toEqual(['Timeout']);
    expect(server!.started).toContain('TCPSERVERWRAP');
    expect(signal!.listening).toContain('SIGTERM');
  });

  it('sees what an import changes', () => {
    const [request, fetching, written, http, prototype] = reports.slice(3);
    expect(request!.changed).toContain('Request');
    expect(fetching!.changed).toContain('fetch');
    expect(written!.failure).toMatch(/restricted/);
    expect(http!.changed).toContain('node:http.request');
    expect(prototype!.changed).toContain('Array.prototype.last');
  });
});
