import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountsMigrations } from '@leeward/accounts';
import { createCatalog } from '@leeward/engine';
import { createQuotes, type FieldEncryption, openFieldKeys, quoteMigrations } from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { exampleBody, exampleFields } from '@leeward/quotes/testing';
import { expect, it } from 'vitest';
import { keptAccounts } from '../accounts/kept-accounts.ts';
import { openStore } from '../store/open-store.ts';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const secretOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const keyOf = (id: string, byte: number) => ({ id, key: secretOf(byte) });
const [first, second, third] = [keyOf('k1', 1), keyOf('k2', 2), keyOf('k3', 3)];
const setting = ({ id, key }: ReturnType<typeof keyOf>) => `${id}:${key}`;

/** A data folder with accounts, whose quotes are made and read under keys. */
function place(folder: string) {
  const environment = { LEEWARD_DATA_DIR: join(folder, 'data') };
  const run = (words: string, more: Record<string, string> = {}) =>
    runWords(words.split(' '), { environment: { ...environment, ...more }, folder });
  const json = async (words: string, more: Record<string, string> = {}) => {
    const { code, output, errors } = await run(`${words} --json`, more);
    expect({ words, code, errors }).toEqual({ words, code: 0, errors: '' });
    return JSON.parse(output);
  };
  const open = () =>
    openStore(`sqlite:${join(folder, 'data', 'leeward.sqlite')}`, [accountsMigrations, quoteMigrations]);
  /** Creates quotes, or calls their carrier for the waiting ones. */
  const quotes = async (
    encryption: FieldEncryption,
    teamId: string,
    { make = 0, ask = 0 }: { make?: number; ask?: number },
  ) => {
    const database = await open();
    const asked: unknown[] = [];
    const carrier = {
      ...{ key: 'scripted', name: 'Scripted Mutual', offers: [{ formTypes: ['ho3'] }], idempotent: true },
      quote: async ({ fields }: { fields: unknown }) => {
        asked.push(fields);
        return { outcome: 'quoted', premiumCents: 1000n };
      },
    };
    const service = createQuotes({
      database,
      encryption,
      carriers: [carrier as never],
      queue: createPQueueBackend(),
      teams: { hasProducer: async () => true, appointments: async () => [{ carrierKey: 'scripted' }] },
    });
    const ids: string[] = [];
    try {
      for (let index = 0; index < make; index++) {
        ids.push((await service.create(teamId, { ...exampleBody, form_types: ['ho3'] })).quote_request_id);
      }
      if (ask > 0) {
        await service.start();
        await expect.poll(() => asked.length, { timeout: 20_000 }).toBe(ask);
      }
      await openFieldKeys({ database, encryption }).check();
    } finally {
      await service.stop();
      await database.close();
    }
    return { ids, asked };
  };
  /** Audit entries of an organization under an action. */
  const audited = async (organization_id: string, action: string) => {
    const database = await open();
    try {
      const { administration } = keptAccounts(database, createCatalog([]), { environment: 'live' });
      return (await administration.audit.list.run({ system: 'test' }, { organization_id, action })).items;
    } finally {
      await database.close();
    }
  };
  return { run, json, quotes, audited };
}

it('leeward keys counts what each key is needed for, and moves it to the current key, so that the other can go', async () => {
  using folder = temporaryFolder();
  const { run, json, quotes } = place(folder.path);
  const { organization_id } = await json('organization create Suncoast');
  const { team_id } = await json(`team create Personal --organization ${organization_id}`);
  expect((await run('keys status')).output).toContain('Nothing is stored.');
  await quotes({ current: first }, team_id, { make: 3 });
  const other = await json(`team create Commercial --organization ${organization_id}`);
  await quotes({ current: second, previous: [first] }, other.team_id, { make: 2 });

  const both = { LEEWARD_FIELDS_KEY: setting(second), LEEWARD_FIELDS_PREVIOUS_KEYS: setting(first) };
  const only = { LEEWARD_FIELDS_KEY: setting(second) };
  const use = (key_id: string, rows: number, current: boolean, readable: boolean) => ({
    place: 'fields',
    kind: 'envelope',
    ...{ key_id, rows, current, readable },
  });
  expect(await json('keys status', both)).toEqual({
    current_key_id: 'k2',
    uses: [use('k1', 3, false, true), use('k2', 2, true, true)],
  });
  const early = await run('keys status', only);
  expect(early).toMatchObject({ code: 1, errors: expect.stringContaining('"k1", not configured here') });
  expect(early.output).toContain('fields: 3 under k1, not readable');
  expect(await run('keys re-encrypt')).toMatchObject({
    code: 1,
    errors: expect.stringContaining('LEEWARD_FIELDS_KEY'),
  });
  expect(await run('keys re-encrypt', only)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('1 data keys or rows could not be read'),
  });

  expect((await run('keys re-encrypt', both)).output).toBe(
    '1 data keys are encrypted under k2 now, and 0 rows under data keys.\n',
  );
  expect(await json('keys status', only)).toEqual({ current_key_id: 'k2', uses: [use('k2', 5, true, true)] });
  const { asked } = await quotes({ current: second }, team_id, { ask: 5 });
  expect(asked).toEqual(Array(5).fill(exampleFields));
});

it('leeward keys erase discards values of a lost key only: confirmed twice, counted and audited', async () => {
  using folder = temporaryFolder();
  const { run, json, quotes, audited } = place(folder.path);
  const { organization_id } = await json('organization create Suncoast');
  const { team_id } = await json(`team create Personal --organization ${organization_id}`);
  const { ids } = await quotes({ current: first }, team_id, { make: 3 });
  const two: FieldEncryption = { current: second, previous: [first] };
  const other = await json(`team create Commercial --organization ${organization_id}`);
  await quotes(two, other.team_id, { make: 2 });
  const own = { LEEWARD_FIELDS_KEY: setting(third), LEEWARD_FIELDS_PREVIOUS_KEYS: setting(second) };

  const refusals = [
    [
      'k1 --yes',
      { ...own, LEEWARD_FIELDS_PREVIOUS_KEYS: `${setting(second)},${setting(first)}` },
      '"k1" is configured',
    ],
    ['k2 --yes', own, '"k2" is configured'],
    ['k3 --yes', own, '"k3" is configured'],
    ['k9 --yes', own, 'Nothing is encrypted under a key "k9"'],
    ['k1', own, 'fields: 3. If the key is lost, erase this for good with --yes'],
  ] as const;
  for (const [words, environment, errors] of refusals) {
    const refused = await run(`keys erase ${words}`, environment);
    expect(refused).toMatchObject({ code: 1, output: '', errors: expect.stringContaining(errors) });
  }
  await quotes(two, other.team_id, { make: 1 });

  expect(await json('keys erase k1 --yes', own)).toEqual({ quotes: 3, rates: 0, webhooks: 0 });
  expect(await json('keys status', own)).toMatchObject({ uses: [{ key_id: 'k2', rows: 3, readable: true }] });
  const { asked } = await quotes({ current: third, previous: [second] }, team_id, { ask: 3 });
  expect(asked).toEqual(Array(3).fill(exampleFields));
  const erased = await audited(organization_id, 'quotes.erase');
  expect(erased.map(({ subject_id }) => subject_id).toSorted()).toEqual(ids.toSorted());
});

it('leeward keys erase-tenant erases one team, when confirmed, and again after a restore', async () => {
  using folder = temporaryFolder();
  const { run, json, quotes, audited } = place(folder.path);
  const { organization_id } = await json('organization create Suncoast');
  const [one, other] = [
    await json(`team create Personal --organization ${organization_id}`),
    await json(`team create Commercial --organization ${organization_id}`),
  ];
  await quotes({ current: first }, one.team_id, { make: 2 });
  await quotes({ current: first }, other.team_id, { make: 1 });
  const own = { LEEWARD_FIELDS_KEY: setting(first) };
  expect(await run(`keys erase-tenant ${one.team_id}`, own)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('--yes'),
  });
  expect(await run('backup backup.sqlite', own)).toMatchObject({ code: 0 });
  expect(await run(`keys erase-tenant ${one.team_id} --yes`, own)).toMatchObject({
    code: 0,
    output: `Erased the data keys and 2 quotes of ${one.team_id}.\n`,
  });
  expect(await json('keys status', own)).toMatchObject({ uses: [{ kind: 'envelope', rows: 1, readable: true }] });
  expect(await audited(organization_id, 'quotes.erase_tenant')).toMatchObject([{ subject_id: one.team_id }]);

  expect(await run('erasures export list.ndjson', own)).toMatchObject({
    code: 0,
    output: 'Exported 1 erasures, 0 valid tokens and 0 people.\n',
  });
  writeFileSync(join(folder.path, 'broken.ndjson'), '{"kind":"insured"}\n');
  expect(await run('restore backup.sqlite --move-old-to old.sqlite --erasures broken.ndjson', own)).toMatchObject({
    code: 1,
    errors: expect.stringContaining('line 1 is not an erasure'),
  });
  const restored = await run('restore backup.sqlite --move-old-to old.sqlite --erasures list.ndjson', own);
  expect(restored).toMatchObject({ code: 0, output: expect.stringContaining('erased 2 quotes') });
  expect(await json('keys status', own)).toMatchObject({ uses: [{ kind: 'envelope', rows: 1, readable: true }] });
});
