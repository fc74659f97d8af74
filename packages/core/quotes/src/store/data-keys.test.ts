import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import type { KeyService } from '../ports/key-service.ts';
import { engines } from '../testing/bench.ts';
import { createDataKeys } from './data-keys.ts';
import { ErasedKeyError, type FieldEncryption, KeysUnavailableError } from './field-cipher.ts';
import { quoteMigrations } from './migrations.ts';
import { createStoreContext } from './store-context.ts';

const local: FieldEncryption = { current: { id: 'k1', key: Buffer.alloc(32, 1) } };

/** Wraps by name, counts its calls and can be down. */
function fakeService(id: string) {
  const wrapped = new Map<string, { readonly bytes: Uint8Array; readonly tenant: string }>();
  const state = { calls: 0, isDown: false, isSilent: false };
  const call = async () => {
    state.calls++;
    if (state.isSilent) await new Promise(() => {});
    if (state.isDown) throw new Error('connect ECONNREFUSED');
  };
  const service: KeyService = {
    id,
    async wrap(bytes, { tenant }) {
      await call();
      const name = randomUUID();
      wrapped.set(name, { bytes, tenant });
      return name;
    },
    async unwrap(name, { tenant }) {
      await call();
      const entry = wrapped.get(name);
      if (entry?.tenant !== tenant) throw new Error('InvalidCiphertextException');
      return entry.bytes;
    },
  };
  return { service, state };
}

for (const engine of engines) {
  describe.skipIf(engine.skip !== undefined)(`data keys on ${engine.title}`, { concurrent: true }, () => {
    async function opened(encryption: FieldEncryption) {
      const place = await engine.createPlace();
      const first = await place.open({ migrations: [quoteMigrations] });
      let nowMs = 0;
      const processOf = async (keys: FieldEncryption = encryption) => {
        const database = await place.open({ migrations: [quoteMigrations] });
        const { now } = createStoreContext({ database, clock: undefined, encryption: keys });
        let statements = 0;
        const counted = Object.create(database, {
          tables: {
            value: () =>
              database.tables().withPlugin({
                transformQuery: ({ node }) => {
                  statements++;
                  return node;
                },
                transformResult: async ({ result }) => result,
              }),
          },
        });
        const dataKeys = createDataKeys({ database: counted, now }, keys, () => nowMs);
        return Object.assign(dataKeys, { statements: () => statements });
      };
      const rows = async () =>
        (await sql<{ team_id: string; wrapped: string | null }>`select * from quote_data_key`.execute(first.tables()))
          .rows;
      const pass = (ms: number) => {
        nowMs += ms;
      };
      return { processOf, rows, pass, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
    }

    it('are one for each team, also if several processes create the first at once', async () => {
      await using bench = await opened(local);
      const processes = await Promise.all(Array.from({ length: 4 }, () => bench.processOf()));
      const keys = await Promise.all([...processes, ...processes].map((each) => each.current('team-1')));
      expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
      for (const { bytes } of keys) expect(Buffer.from(bytes)).toEqual(Buffer.from(keys[0]!.bytes));
      const other = await processes[0]!.current('team-2');
      expect(Buffer.from(other.bytes)).not.toEqual(Buffer.from(keys[0]!.bytes));
      expect(await bench.rows()).toHaveLength(2);
    });

    it('are cached: an erasure or rotation elsewhere is noticed within 30 seconds', async () => {
      await using bench = await opened(local);
      const [one, other] = [await bench.processOf(), await bench.processOf()];
      const key = await one.current('team-1');
      const statements = one.statements();
      for (let index = 0; index < 100; index++) {
        await one.current('team-1');
        await one.byId(key.id);
      }
      expect(one.statements()).toBe(statements);
      expect(await other.rotate('team-1')).toBe(true);
      bench.pass(30_000);
      const next = await one.current('team-1');
      expect(next.id).not.toBe(key.id);
      expect((await one.byId(key.id)).id).toBe(key.id);
      expect(await other.erase('team-1')).toBe(2);
      bench.pass(30_000);
      for (const { id } of [key, next]) await expect(one.byId(id)).rejects.toBeInstanceOf(ErasedKeyError);
      expect((await one.current('team-1')).id).not.toBe(next.id);
      expect((await bench.rows()).filter(({ wrapped }) => wrapped === null)).toHaveLength(2);
      expect(await other.erase('team-0')).toBe(0);
    });

    it('seal under a new key within 30 seconds, also while old values are read', async () => {
      await using bench = await opened(local);
      const [one, other] = [await bench.processOf(), await bench.processOf()];
      const key = await one.current('team-1');
      await other.rotate('team-1');
      for (let read = 0; read < 4; read++) {
        bench.pass(20_000);
        await one.byId(key.id);
      }
      expect((await one.current('team-1')).id).not.toBe(key.id);
    });

    it('need their service only when they are not cached, and come back with it', async () => {
      const { service, state } = fakeService('arn:aws:kms:test');
      await using bench = await opened({ current: service });
      state.isDown = true;
      const process = await bench.processOf();
      await expect(process.probe()).rejects.toBeInstanceOf(KeysUnavailableError);
      await expect(process.current('team-1')).rejects.toThrow('ECONNREFUSED');
      expect(await bench.rows()).toEqual([]);
      state.isDown = false;
      await process.probe();
      const key = await vi.waitFor(() => process.current('team-1'), { timeout: 5000, interval: 50 });
      state.isDown = true;
      const { calls } = state;
      bench.pass(600_000);
      expect(await process.byId(key.id)).toMatchObject({ id: key.id });
      expect(state.calls).toBe(calls);
      await expect(process.current('team-2')).rejects.toBeInstanceOf(KeysUnavailableError);
      bench.pass(300_000);
      await expect(process.byId(key.id)).rejects.toBeInstanceOf(KeysUnavailableError);
      // A failure is shared by all callers of a moment.
      const before = state.calls;
      await Promise.allSettled(Array.from({ length: 50 }, () => process.byId(key.id)));
      expect(state.calls).toBe(before);
    });

    it('give up on a silent service after three seconds, and then do not wait for it again', async () => {
      const { service, state } = fakeService('silent');
      await using bench = await opened({ current: service });
      const process = await bench.processOf();
      state.isSilent = true;
      await expect(process.current('team-1')).rejects.toThrow('no answer within 3000 ms');
      await expect(process.current('team-2')).rejects.toThrow('did not answer in time');
      expect(state.calls).toBe(1);
    });

    it('of many teams are rewrapped under another key-encryption key, and stay the same', async () => {
      const { service } = fakeService('service');
      await using bench = await opened(local);
      const process = await bench.processOf();
      const teams = Array.from({ length: engine.title === 'SQLite' ? 1000 : 200 }, (_, index) => `team-${index}`);
      const before = [];
      for (const team of teams) before.push(await process.current(team));
      const both = await bench.processOf({ current: service, previous: [local.current] });
      expect(await both.rewrap()).toEqual({ keys: teams.length, failed: 0 });
      expect(await both.rewrap()).toEqual({ keys: 0, failed: 0 });
      const after = await bench.processOf({ current: service });
      for (const index of [0, 7, teams.length - 1]) {
        expect(Buffer.from((await after.current(teams[index]!)).bytes)).toEqual(Buffer.from(before[index]!.bytes));
      }
      await expect((await bench.processOf()).current('team-7')).rejects.toThrow('"service", which is not configured');
    });
  });
}
