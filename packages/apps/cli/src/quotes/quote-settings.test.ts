import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { smallCoastline } from '../../../../../test/support/small-coastline.ts';
import { readCarrierAdapters } from '../carriers/carrier-adapters.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { carrierSecrets } from './carrier-secrets.ts';
import { keepingSettings } from './keeping-settings.ts';
import { openQueue } from './open-queue.ts';

const key = (id: string) => `${id}:${Buffer.alloc(32, id).toString('base64')}`;

describe('how personal data is kept', () => {
  it('is unencrypted and kept for the default time without settings', () => {
    expect(keepingSettings({})).toEqual({
      allowPrivateWebhooks: false,
      webhookPorts: [443, 8443],
      encryption: undefined,
      personalDataDays: 90,
      finishedQuoteDays: undefined,
      exchangeDays: 7,
    });
    expect(keepingSettings({ LEEWARD_FIELDS_KEY: '', LEEWARD_PERSONAL_DATA_DAYS: '' }).encryption).toBeUndefined();
  });

  it('is encrypted with the configured keys and kept for the configured days', () => {
    const environment = {
      LEEWARD_FIELDS_KEY: key('k3'),
      LEEWARD_FIELDS_PREVIOUS_KEYS: `${key('k2')}, ${key('k1')}`,
      LEEWARD_PERSONAL_DATA_DAYS: '30',
      LEEWARD_FINISHED_QUOTE_DAYS: '400',
    };
    const { encryption, personalDataDays, finishedQuoteDays } = keepingSettings(environment);
    expect([personalDataDays, finishedQuoteDays]).toEqual([30, 400]);
    expect(encryption?.current.id).toBe('k3');
    expect(encryption?.previous?.map(({ id }) => id)).toEqual(['k2', 'k1']);
  });

  it('limits webhooks to the configured ports', () => {
    expect(keepingSettings({ LEEWARD_WEBHOOK_PORTS: '443, 9443' }).webhookPorts).toEqual([443, 9443]);
    for (const wrong of ['443,', '0', '65536', 'https', '-1']) {
      expect(() => keepingSettings({ LEEWARD_WEBHOOK_PORTS: wrong })).toThrow(/^LEEWARD_WEBHOOK_PORTS has "/);
    }
  });

  it('names every fault, and no key', () => {
    const environment = {
      LEEWARD_FIELDS_KEY: 'hunter2',
      LEEWARD_FIELDS_PREVIOUS_KEYS: `${key('k1')},${key('k1')}`,
      LEEWARD_PERSONAL_DATA_DAYS: 'for ever',
      LEEWARD_FINISHED_QUOTE_DAYS: '0',
      LEEWARD_EXCHANGE_DAYS: '-1',
    };
    const attempt = () => keepingSettings(environment);
    const expected = [
      'LEEWARD_FIELDS_KEY is an id',
      'the same id',
      '"for ever"',
      'LEEWARD_FINISHED_QUOTE_DAYS is "0"',
      'LEEWARD_EXCHANGE_DAYS is "-1"',
    ];
    for (const fault of expected) expect(attempt).toThrow(fault);
    expect(attempt).not.toThrow('hunter2');
    expect(() => keepingSettings({ LEEWARD_FIELDS_PREVIOUS_KEYS: key('k1') })).toThrow('which is not set');
  });

  it('gives carriers their secrets only', () => {
    const secrets = carrierSecrets({ CARRIER_TOKEN: 't', LEEWARD_OPERATOR_TOKEN: 'o' });
    expect([secrets('CARRIER_TOKEN'), secrets('LEEWARD_OPERATOR_TOKEN')]).toEqual(['t', undefined]);
  });

  it('reads secrets from files, and names a missing file', () => {
    using folder = temporaryFolder({ 'key.pem': 'a key\n' });
    const file = join(folder.path, 'key.pem');
    const secrets = carrierSecrets({ CARRIER_KEY_FILE: file, CARRIER_GONE_FILE: `${file}.gone`, OTHER_FILE: file });
    expect([secrets('CARRIER_KEY'), secrets('OTHER')]).toEqual(['a key', undefined]);
    expect(() => secrets('CARRIER_GONE')).toThrow(
      /^CARRIER_GONE_FILE names .*key\.pem\.gone", which cannot be read \(ENOENT/,
    );
  });
});

describe('the queue', () => {
  const open = (url: string | undefined) => openQueue(url, () => {});

  it('is in this process by default', async () => {
    for (const url of [undefined, 'sqlite:', 'sqlite:queue.sqlite'])
      expect((await open(url))?.caps).toMatchObject({ durable: false });
  });

  it('is left out as none', async () => {
    expect(await open('none')).toBeUndefined();
  });

  it.each([
    ['redis://:hunter2@127.0.0.1:9', 'The queue cannot be used (Redis is unavailable'],
    ['postgres://me:hunter2@127.0.0.1:9/x', 'The queue cannot be used (ECONNREFUSED)'],
    ['redis://127.0.0.1/?prefix=A%20b', '?prefix=A b; use up to 50 lower-case letters'],
    ['redis://127.0.0.1/?prefix=Ab', '?prefix=Ab; use'],
    ['postgres://127.0.0.1/x?schema=drop-it', '?schema=drop-it; use'],
    ['redis://me:hun#ter2@127.0.0.1:x', 'escape special characters of its password'],
  ])('is refused as %s, in a sentence without its password', async (url, message) => {
    const refused = await open(url).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Error);
    expect(String(refused)).toContain(message);
    expect(String(refused)).not.toMatch(/hun.?ter2/);
  });
});

describe('carriers that can quote', () => {
  const verdictSource = async () => ({ status: 'eligible' as const, reasons: [], missingFields: [] });
  const httpCarrier = (url: string) => ({
    format: 1,
    carrier: { key: 'lantern_mutual', name: 'Lantern Mutual' },
    offers: [{ form_types: ['ho3'] }],
    idempotent: false,
    auth: { type: 'bearer', token: '$' + '{CARRIER_TOKEN}' },
    request: { method: 'POST', url, body: { a: '{{fields.dwelling_a}}' } },
    response: { premium: '/premium' },
  });
  const read = (folder: string, environment: Record<string, string> = { CARRIER_TOKEN: 't' }) =>
    readCarrierAdapters({
      carriersFolder: join(folder, 'c'),
      folder,
      verdictSource,
      secrets: carrierSecrets(environment),
    });

  it('are those with a rating plan, and those reached over HTTP without code', () => {
    using folder = temporaryFolder({
      'c/lantern_mutual/http-carrier.json': JSON.stringify(httpCarrier('https://lantern.example/quotes')),
      'c/no_quotes/rule-set.json': '{}',
    });
    cpSync(
      join(import.meta.dirname, '../../../../../fixtures/carriers/sawpalm_home'),
      join(folder.path, 'c/sawpalm_home'),
      {
        recursive: true,
      },
    );
    expect(read(folder.path).map(({ key: each }) => each)).toEqual(['sawpalm_home', 'lantern_mutual']);
    expect(read(join(folder.path, 'nowhere'))).toEqual([]);
    const both = { ...httpCarrier('https://sawpalm.example'), carrier: { key: 'sawpalm_home', name: 'Sawpalm' } };
    writeFileSync(join(folder.path, 'c/sawpalm_home/http-carrier.json'), JSON.stringify(both));
    expect(() => read(folder.path)).toThrow('The carrier sawpalm_home has a rating plan or another');
  });

  it('report all faults by file, without secrets', () => {
    const file = JSON.stringify(httpCarrier('not an address'), null, 2);
    using folder = temporaryFolder({
      'c/lantern_mutual/http-carrier.json': file,
      'c/other/http-carrier.json': JSON.stringify(httpCarrier('https://lantern.example')),
      'c/broken/rating-plan.json': '{"format": 1,',
    });
    const attempt = () => read(folder.path, { OTHER: 'x' });
    expect(attempt).toThrow(/c\/lantern_mutual\/http-carrier\.json:\d+ {2}\/request\/url\n/);
    expect(attempt).toThrow(
      /c\/lantern_mutual\/http-carrier\.json:\d+ {2}\/auth\/token\n {4}The secret CARRIER_TOKEN is not/,
    );
    expect(attempt).toThrow(/c\/broken\/rating-plan\.json:1\n.*not JSON/);
    writeFileSync(
      join(folder.path, 'c/lantern_mutual/http-carrier.json'),
      JSON.stringify(httpCarrier('https://x.example')),
    );
    writeFileSync(join(folder.path, 'c/broken/rating-plan.json'), '{}');
    expect(() => read(folder.path)).toThrow(
      /c\/other\/http-carrier\.json:1 {2}\/carrier\/key\n.*lantern_mutual has a rating plan or another/,
    );
  });
});

describe('leeward worker', () => {
  it.each([
    [{}, 'Name the folder of your carriers', 2],
    [{ LEEWARD_CARRIERS: 'nowhere' }, 'There is no folder', 2],
    [{ LEEWARD_QUEUE_URL: 'amqp://x' }, 'LEEWARD_QUEUE_URL', 2],
  ])('with %j does not start, and prints the reason', async (environment, message, expected) => {
    using folder = temporaryFolder();
    const { code, errors } = await runWords(['worker'], { environment, folder: folder.path });
    expect(code).toBe(expected);
    expect(errors).toContain(message);
  });

  it('reports an unreachable database or queue, without passwords', async () => {
    using folder = temporaryFolder();
    const carriers = join(import.meta.dirname, '../../../../../fixtures/carriers');
    const work = (environment: Record<string, string>) =>
      runWords(['worker', '--carriers', carriers], {
        environment: { ...smallCoastline, ...environment },
        folder: folder.path,
      });
    const away = await work({ LEEWARD_DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/x' });
    expect(away).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringContaining('(ECONNREFUSED); see LEEWARD_DATABASE_URL'),
    });
    const queueless = await work({ LEEWARD_QUEUE_URL: 'redis://:hunter2@127.0.0.1:9' });
    expect(queueless).toMatchObject({ code: 1, errors: expect.stringContaining('see LEEWARD_QUEUE_URL') });
    expect(`${away.errors}${queueless.errors}`).not.toContain('hunter2');
  });
});
