import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { accountsMigrations } from '@leeward/accounts';
import { openDatabase } from '@leeward/database';
import { testEngines } from '@leeward/database/testing';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

/** The tables of versions without the hash chain. */
const { migrations, name } = accountsMigrations;
const earlier = {
  name,
  migrations: migrations.slice(
    0,
    migrations.findIndex((each) => each.name === 'audit-chain'),
  ),
};

for (const engine of await testEngines()) {
  describe.skipIf(engine.skip !== undefined)(`Entries from before the hash chain on ${engine.title}`, () => {
    it('are listed, exported and verified, and the report shows where the proof begins', async () => {
      using folder = temporaryFolder();
      await using place = engine.engine === 'postgres' ? await engine.createPlace() : undefined;
      const data = join(folder.path, 'data');
      mkdirSync(data);
      const url = place?.url ?? `sqlite:${join(data, 'leeward.sqlite')}`;
      const organization_id = '01m5'.padEnd(26, '0');
      const database = await openDatabase(url, { migrations: [earlier] });
      const old = database.tables<Record<string, Record<string, unknown>>>();
      for (let index = 0; index < 3; index++) {
        const values = {
          audit_id: `01m5${index}`.padEnd(26, '0'),
          organization_id,
          at: Date.UTC(2026, 0, 1 + index),
          actor_type: 'system',
          actor_id: 'command line',
          action: 'producers.create',
          subject_id: `p${index}`,
          request_id: null,
          changes: JSON.stringify({ email: { after: 'pat@suncoast.example' }, licensed_states: { after: ['fl'] } }),
        };
        await old.insertInto('accounts_audit').values(values).execute();
      }
      const stamps = { revision: 1, created_at: 0, updated_at: 0 };
      const agency = { organization_id, name: 'Suncoast', catalog_stamp: '', ...stamps };
      await old.insertInto('accounts_organizations').values(agency).execute();
      await database.close();

      const environment = { LEEWARD_DATA_DIR: data, LEEWARD_DATABASE_URL: url };
      const leeward = async (words: string) => {
        const result = await runWords(words.split(' '), { environment, folder: folder.path });
        expect([words, result.code, result.errors]).toEqual([words, 0, expect.anything()]);
        return result.output;
      };
      await leeward(`team create Later --organization ${organization_id}`);
      const start = `${organization_id}: entries 1 to 4, from 2026-01-01T00:00:00.000000Z`;
      const proof = '; entries 1 to 3 are older than the chain, which proves them from the upgrade on';
      const report = new RegExp(`${start.replaceAll('.', '\\.')} to \\S+${proof}\n`);
      expect(await leeward('audit verify')).toMatch(report);
      const exported = await leeward('audit export');
      expect(
        exported
          .split('\n')
          .slice(2, -1)
          .map((line) => JSON.parse(line).sequence),
      ).toEqual([1, 2, 3, 4]);
      expect(exported).not.toContain('pat@suncoast.example');
      await leeward('audit export --out log.ndjson');
      expect(await leeward('audit verify log.ndjson')).toMatch(report);
      const { ranges } = JSON.parse(await leeward('audit verify log.ndjson --json'));
      expect(ranges).toMatchObject([{ organization_id, unchained: 3, first: { sequence: 1 }, last: { sequence: 4 } }]);
    });
  });
}
