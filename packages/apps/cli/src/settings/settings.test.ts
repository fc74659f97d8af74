import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suggest } from '@leeward/terms';
import { describe, expect, it } from 'vitest';
import { serveSettings } from '../serve/serve-settings.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { readSettings } from './read-settings.ts';
import { settingsTable } from './settings-table.ts';
import { withoutSecrets } from './without-secrets.ts';

function read(file: unknown, environment: Record<string, string> = {}, options = {}) {
  using folder = temporaryFolder({
    'etc/leeward.json': typeof file === 'string' ? file : JSON.stringify(file, null, 2),
  });
  const faults: string[] = [];
  const terminal = { environment: { LEEWARD_CONFIG: 'etc/leeward.json', ...environment }, folder: folder.path };
  const settings = readSettings(terminal, faults, { options });
  return { settings, faults, folder: folder.path };
}

describe('settings', () => {
  it('come from the command line before the environment before the file before the default', () => {
    const file = { port: 1, host: '10.0.0.1', log_level: 'warn' };
    const { settings, faults } = read(
      file,
      { PORT: '2', LEEWARD_HOST: '10.0.0.2', LEEWARD_LOG_LEVEL: '' },
      { port: '3' },
    );
    expect(faults).toEqual([]);
    expect([settings.value('port'), settings.inForce('port')?.where]).toEqual([3, '--port']);
    expect(settings.inForce('host')).toEqual({ text: '10.0.0.2', source: 'environment', where: 'LEEWARD_HOST' });
    expect(settings.inForce('log_level')).toEqual({ text: 'warn', source: 'file', where: 'etc/leeward.json:4' });
    expect(settings.inForce('stop_deadline_ms')).toMatchObject({ source: 'default' });
    expect(settings.inForce('carriers')).toBeUndefined();
  });

  it('takes numbers, lists and null in a file, and paths from the file’s own folder', () => {
    const file = {
      port: 8080,
      rate_limit: 60,
      log_level: null,
      carriers: 'ours',
      database_url: 'sqlite:data/leeward.sqlite',
      fields_previous_keys: ['k1:a', 'k2:b'],
    };
    const { settings, faults, folder } = read(file);
    expect(faults).toEqual([]);
    expect(settings.value('rate_limit')).toEqual({ perMinute: 60, burst: 60 });
    expect(settings.value('log_level')).toBe('info');
    expect(settings.value('carriers')).toBe(join(folder, 'etc/ours'));
    expect(settings.value('database_url')).toBe(`sqlite:${join(folder, 'etc/data/leeward.sqlite')}`);
    expect(settings.variables).toMatchObject({ PORT: '8080', LEEWARD_FIELDS_PREVIOUS_KEYS: 'k1:a,k2:b' });
    expect(read({ database_url: 'sqlite::memory:' }).settings.value('database_url')).toBe('sqlite::memory:');
  });

  it('names every fault of a file at once: line, key, value, way out', () => {
    const { settings, faults } = read({ porrt: 1, port: 'x', rate_limit: 'y', host: { a: 1 }, zzzzzzzzzz: 1 });
    settings.value('port');
    settings.value('port');
    settings.value('rate_limit');
    expect(faults).toEqual([
      'etc/leeward.json:2: "porrt" is not a setting; did you mean "port"?',
      'etc/leeward.json:5: host is an object; give a text.',
      'etc/leeward.json:8: "zzzzzzzzzz" is not a setting; leeward config lists what there is',
      'etc/leeward.json:3: port is "x"; give a port from 0 (any) to 65535.',
      expect.stringMatching(/^etc\/leeward\.json:4: rate_limit cannot be used\. A rate limit is "y"; give .*/),
    ]);
  });

  it.each([
    ['{ "port": 1,', /leeward\.json:1\n.*not JSON/],
    ['{ "port": 1, "port": 2 }', /leeward\.json:1 {2}\/port\n.*twice/],
    ['[1]', /not a JSON object/],
    ['{ "__proto__": 1 }', /"__proto__" is not a setting/],
  ])('refuses %s', (text, fault) => {
    expect(read(text).faults.join('\n')).toMatch(fault);
  });

  it('says so where there is no such file', () => {
    const terminal = { environment: { LEEWARD_CONFIG: 'nowhere.json' }, folder: '/' };
    expect(() => readSettings(terminal, [])).toThrow('nowhere.json cannot be read (ENOENT)');
  });

  it('serves by a file, and counts requests in the queue’s Redis by default', () => {
    using folder = temporaryFolder({
      'leeward.json': JSON.stringify({ carriers: 'ours', queue_url: 'redis://localhost', max_delay_ms: 0 }),
    });
    const terminal = { environment: {}, folder: folder.path };
    expect(serveSettings({ config: 'leeward.json' }, terminal)).toMatchObject({
      carriers: join(folder.path, 'ours'),
      queueUrl: 'redis://localhost',
      rateLimitUrl: 'redis://localhost',
      overload: { maxInFlight: 1000, maxDelayMs: null },
      requestTimeoutMs: 30_000,
    });
    const elsewhere = { ...terminal, environment: { LEEWARD_QUEUE_URL: 'postgres://db/leeward' } };
    expect(serveSettings({ config: 'leeward.json' }, elsewhere).rateLimitUrl).toBeUndefined();
  });
});

describe('secrets', () => {
  it.each([
    ['postgres://leeward:hunter2@db:5432/leeward?sslpassword=hunter2', 'postgres://leeward:***@db:5432/leeward?…'],
    ['redis://:hunter2@cache', 'redis://:***@cache'],
    ['redis://cache:6379/1', 'redis://cache:6379/1'],
    ['postgres://leeward:hunter#2@db/leeward', 'postgres:…'],
    ['postgres://leeward:hunter/2@db/leeward', 'postgres:…'],
    ['sqlite:/srv/leeward.sqlite', 'sqlite:/srv/leeward.sqlite'],
    ['hunter2', '…'],
  ])('prints %s as %s', (text, printed) => {
    expect(withoutSecrets(text, { secret: 'url' })).toBe(printed);
  });
});

describe('leeward config', () => {
  it('prints what is in force, where it comes from, and no secret', async () => {
    const environment = {
      LEEWARD_DATABASE_URL: 'postgres://leeward:hunter2@db/leeward',
      LEEWARD_OPERATOR_TOKEN: 'hunter2-hunter2-hunter2-hunter2-hunter2',
      LEEWARD_RATELIMIT: '5',
    };
    const { code, output, errors } = await runWords(['config', '--carriers', 'ours', '--port', '0'], { environment });
    expect(code).toBe(0);
    expect(output).toMatch(/database_url .*postgres:\/\/leeward:\*\*\*@db\/leeward .*LEEWARD_DATABASE_URL/);
    expect(output).toMatch(/operator_token .*\(set, not shown\)/);
    expect(output).toMatch(/port .* 0 .*--port/);
    expect(`${output}${errors}`).not.toContain('hunter2');
    expect(errors).toBe('LEEWARD_RATELIMIT is set, and no setting of this program.\n');
  });

  it('ends with 1 where a service would not start, and lists everything all the same', async () => {
    const { code, output, errors } = await runWords(['config', '--json', '--port', 'x'], {
      environment: { LEEWARD_OPERATOR_TOKEN: 'hunter2' },
    });
    expect(code).toBe(1);
    const { settings } = JSON.parse(output) as { settings: { key: string; description: string }[] };
    expect(settings.map(({ key }) => key)).toEqual(Object.keys(settingsTable));
    for (const { description } of settings) expect(description).toMatch(/\w+.*\.$/);
    for (const fault of ['--port is "x"', 'has 7 characters', '--carriers DIR']) expect(errors).toContain(fault);
    expect(`${output}${errors}`).not.toContain('hunter2');
  });
});

it('the guide lists every setting', () => {
  const guide = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  for (const { variable } of Object.values(settingsTable)) expect(guide).toContain(`\`${variable}\``);
  expect(guide).toContain('`LEEWARD_CONFIG`');
});

it('suggests what was likely meant, and nothing far away', () => {
  const keys = Object.keys(settingsTable);
  expect(suggest('log-levle', keys)).toBe('log_level');
  expect(suggest('DATABASE_URI', keys)).toBe('database_url');
  expect(suggest('colour', keys)).toBeUndefined();
  expect(suggest('x'.repeat(10_000), keys)).toBeUndefined();
});
