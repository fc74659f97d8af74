import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual as isEqual } from 'node:util';
import { storedRows, type TestEngine, testEngines } from '@leeward/database/testing';
import { describe, expect, it, vi } from 'vitest';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { accountsMigrations, createAccounts, createSqlStore } from '../index.ts';

const program = fileURLToPath(new URL('../test-programs/administer-until-killed.program.ts', import.meta.url));
const system = { system: 'test' };
const writes = testVolume(40);

/** Resolves with the acknowledged writes. */
function killAfter(url: string, organizationId: string, acknowledged: number): Promise<string[]> {
  const child = spawn(process.execPath, [...nodeFlags, program, url, organizationId, String(writes)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    if (printed.split('\n').length > acknowledged) child.kill('SIGKILL');
  });
  return new Promise((resolve, reject) => {
    child.on('close', (_, signal) => {
      const lines = printed.split('\n').slice(0, -1);
      if (signal === 'SIGKILL' || lines.length >= writes) resolve(lines);
      else reject(new Error(`The program ended by itself after ${lines.length} lines.`));
    });
  });
}

for (const engine of await testEngines()) {
  describe.skipIf(engine.skip !== undefined)(`Accounts on ${engine.title}, killed`, () => {
    it(`lose no acknowledged write of ${writes}, and keep no half one`, async () => {
      await using place = await engine.createPlace();
      const open = async () => {
        const database = await place.open({ migrations: [accountsMigrations] });
        const store = createSqlStore(database);
        return { store, accounts: createAccounts({ store }) };
      };
      const { store, accounts } = await open();
      const { organization_id } = await accounts.administration.organizations.create.run(system, { name: 'Agency' });
      const lines: string[] = [];
      for (let kills = 0; lines.length < writes; kills++) {
        lines.push(...(await killAfter(place.url, organization_id, 40 + ((kills * 53) % 260))));
      }
      const where = { organization_id };
      const audit = await store.reader.list('audit', { where });
      const logged = new Set(audit.map((entry) => `${entry.action} ${entry.subject_id}`));
      const appointments = new Map(
        (await store.reader.list('appointments', { where })).map((record) => [record.appointment_id, record]),
      );
      const tokens = new Map((await store.reader.list('tokens', { where })).map((record) => [record.token_id, record]));

      const lost: string[] = [];
      const removed = new Set(lines.flatMap((line) => (line.startsWith('remove ') ? [line.slice(7)] : [])));
      for (const line of lines) {
        const [what, id = ''] = line.split(' ');
        const kept = appointments.get(id);
        // An unacknowledged removal may have happened.
        const gone = removed.has(id) || logged.has(`appointments.remove ${id}`);
        const found =
          (what === 'create' && logged.has(`appointments.create ${id}`) && (gone || kept !== undefined)) ||
          (what === 'update' && logged.has(`appointments.update ${id}`) && (gone || kept?.revision === 2)) ||
          (what === 'remove' && logged.has(`appointments.remove ${id}`) && kept === undefined) ||
          (what === 'mint' && (await accounts.directory.authenticate(id)) !== undefined) ||
          (what === 'rotate' && [...tokens.values()].some((token) => token.rotated_from === id));
        if (!found) lost.push(line);
      }
      expect(lost).toEqual([]);

      // Every record has its entry in the log, and the reverse.
      for (const { appointment_id, revision, states } of appointments.values()) {
        expect(logged.has(`appointments.create ${appointment_id}`)).toBe(true);
        expect(logged.has(`appointments.update ${appointment_id}`)).toBe(revision === 2);
        expect(states).toEqual(revision === 2 ? ['fl'] : null);
        expect(logged.has(`appointments.remove ${appointment_id}`)).toBe(false);
      }
      for (const { token_id, rotated_from } of tokens.values()) {
        expect(logged.has(`tokens.${rotated_from === null ? 'create' : 'rotate'} ${token_id}`)).toBe(true);
        if (rotated_from !== null) expect(tokens.get(rotated_from)?.revision).toBe(2);
      }
      const created = audit.filter((entry) => entry.action === 'appointments.create').length;
      const ended = audit.filter((entry) => entry.action === 'appointments.remove').length;
      expect(appointments.size).toBe(created - ended);
      expect(tokens.size).toBe(audit.filter((entry) => /^tokens\.(create|rotate)$/.test(entry.action)).length);
    });
  });

  describe.skipIf(engine.skip !== undefined)(`Secrets on ${engine.title}`, () => {
    it('are absent from the stored bytes', async () => {
      await using place = await engine.createPlace();
      const database = await place.open({ migrations: [accountsMigrations] });
      const chance: Uint8Array[] = [];
      const operatorToken = 'operator-token-of-this-very-test-1234567890';
      const accounts = createAccounts({
        store: createSqlStore(database),
        operatorToken,
        randomBytes(count) {
          const bytes = crypto.getRandomValues(new Uint8Array(count));
          if (count === 32) chance.push(bytes);
          return bytes;
        },
      });
      const { organizations, tokens } = accounts.administration;
      const { organization_id } = await organizations.create.run(system, { name: 'Agency' });
      const texts: string[] = [];
      for (let count = 0; count < 5; count++) {
        const { token, token_id } = await tokens.create.run(system, { organization_id });
        const next = await tokens.rotate.run(system, { token_id });
        texts.push(token, next.token);
        await accounts.directory.authenticate(token);
      }
      await accounts.directory.authenticate(operatorToken);
      await accounts.settle();
      const stored =
        place.file === undefined ? Buffer.from(JSON.stringify(await storedRows(database))) : filesBeside(place.file);
      // The search works.
      expect(stored.includes('Agency')).toBe(true);
      expect(stored.includes(texts[0]!.split('_')[2]!)).toBe(true);
      expect(chance).toHaveLength(10);
      for (const bytes of chance) {
        const secret = Buffer.from(bytes);
        const forms = [secret, secret.toString('hex'), secret.toString('base64'), secret.toString('base64url')];
        for (const form of forms) expect(stored.includes(form)).toBe(false);
      }
      for (const text of [...texts.map((token) => token.split('_')[3]!), operatorToken]) {
        for (const part of [text, text.slice(0, 20), text.slice(-20)]) expect(stored.includes(part)).toBe(false);
      }
    });
  });
}

describe('Accounts on SQLite', () => {
  it('are whole behind every commit: killed at any of them, they keep no half change', async () => {
    const [{ createPlace }] = (await testEngines()) as [TestEngine];
    await using place = await createPlace();
    const database = await place.open({ migrations: [accountsMigrations] });
    const { organizations, appointments, tokens } = createAccounts({
      store: createSqlStore(database),
    }).administration;
    const { organization_id } = await organizations.create.run(system, { name: 'Agency' });
    // Sees only committed changes.
    using other = new DatabaseSync(place.file!, { readOnly: true });
    const ids = (query: string) =>
      new Set(
        other
          .prepare(query)
          .all()
          .map(({ id }) => id),
      );
    const logged = (action: string) => ids(`select subject_id as id from accounts_audit where action = '${action}'`);
    const minus = (all: ReadonlySet<unknown>, gone: ReadonlySet<unknown>) =>
      new Set([...all].filter((id) => !gone.has(id)));
    const rotated = () => ids('select rotated_from as id from accounts_tokens where rotated_from is not null');
    const pairs = () => [
      [
        ids('select appointment_id as id from accounts_appointments'),
        minus(logged('appointments.create'), logged('appointments.remove')),
      ],
      [
        ids('select appointment_id as id from accounts_appointments where revision = 2'),
        minus(logged('appointments.update'), logged('appointments.remove')),
      ],
      [ids('select token_id as id from accounts_tokens where rotated_from is null'), logged('tokens.create')],
      [rotated().size, logged('tokens.rotate').size],
      [ids('select token_id as id from accounts_tokens where revision = 2'), rotated()],
    ];
    const halves: unknown[] = [];
    let commits = 0;
    const { exec } = DatabaseSync.prototype;
    using _ = vi.spyOn(DatabaseSync.prototype, 'exec').mockImplementation(function (this: DatabaseSync, text) {
      exec.call(this, text);
      if (text !== 'commit') return;
      commits++;
      for (const [index, [things, entries]] of pairs().entries())
        if (!isEqual(things, entries)) halves.push({ commits, index, things, entries });
    });
    const { appointment_id } = await appointments.create.run(system, { organization_id, carrier_key: 'bayou_mutual' });
    await appointments.update.run(system, { appointment_id, revision: 1, states: ['fl'] });
    const { token_id } = await tokens.create.run(system, { organization_id });
    await tokens.rotate.run(system, { token_id });
    await appointments.remove.run(system, { appointment_id });
    expect(commits).toBeGreaterThanOrEqual(5);
    expect(halves).toEqual([]);
  });
});

function filesBeside(file: string): Buffer {
  const folder = dirname(file);
  return Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name))));
}
