import { createHash } from 'node:crypto';
import { mkdtempDisposableSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handOnPlaces, testEngines } from '@leeward/database/testing';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { createAccounts } from '../accounts.ts';
import type { AuditItem } from '../audit/audit-entry.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { accountsMigrations } from '../store/migrations.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { AuditDeliveryError, type AuditDestination, type AuditLine } from './audit-destination.ts';
import { type AuditStreamEvent, type AuditStreamsOptions, createAuditStreams } from './audit-streams.ts';
import { createFileDestination } from './file-destination.ts';
import { createSyslogDestination } from './syslog-destination.ts';

const system = { system: 'command line' };
const fast = { pollMs: 10, leaseMs: 400, sendTimeoutMs: 150, firstPauseMs: 10, maxPauseMs: 40 };
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

/** Keeps what it receives; `fail` throws before. */
function createKeeper(id = 'keeper') {
  const keeper = {
    id,
    kind: 'webhook' as const,
    name: id,
    entries: [] as AuditItem[],
    calls: 0,
    fail: undefined as undefined | (() => void),
    async send(lines: readonly AuditLine[]) {
      keeper.calls++;
      keeper.fail?.();
      keeper.entries.push(...lines.map(({ entry }) => entry));
    },
  };
  return keeper;
}

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

for (const engine of await testEngines()) {
  describe.skipIf(engine.skip !== undefined)(`Streams of the audit log on ${engine.title}`, () => {
    const places = handOnPlaces(engine, [accountsMigrations]);
    afterAll(() => places[Symbol.asyncDispose]());

    async function createBench() {
      const place = await places.take();
      cleanups.push(() => place[Symbol.asyncDispose]());
      const [database, second] = place.databases;
      const { administration } = createAccounts({ store: createSqlStore(database) });
      const events: AuditStreamEvent[] = [];
      const stream = (destination: AuditDestination, options: Partial<AuditStreamsOptions> = {}) => {
        const listener = (event: AuditStreamEvent) => void events.push(event);
        const streams = createAuditStreams({ database, destinations: [destination], listener, ...fast, ...options });
        streams.start();
        cleanups.push(() => streams.stop());
        return streams;
      };
      const createTeams = async (organization_id: string, count: number) => {
        for (let index = 0; index < count; index++)
          await administration.teams.create.run(system, { organization_id, name: `Team ${index}` });
      };
      const organizations = await Promise.all(
        ['A', 'B'].map(
          async (name) => (await administration.organizations.create.run(system, { name })).organization_id,
        ),
      );
      const heads = async () => (await administration.audit.heads.run(system, {})).items;
      return { administration, second, events, stream, createTeams, organizations, heads };
    }

    it('send each chain in order, from its beginning and as it grows, in small batches', async () => {
      const { stream, createTeams, organizations, heads } = await createBench();
      const [first = '', other = ''] = organizations;
      await createTeams(first, 12);
      const keeper = createKeeper();
      const streams = stream(keeper, { maxBatchEntries: 5 });
      await Promise.all([createTeams(first, 5), createTeams(other, 5)]);
      await eventually(() => expect(keeper.entries).toHaveLength(24));
      expect(await verifyAudit(keeper.entries, { heads: await heads() })).toMatchObject({ chains: 2, faults: [] });
      expect(keeper.calls).toBeGreaterThanOrEqual(5);
      const idle = { kind: 'webhook', name: 'keeper', waiting: 0, oldestMs: null, lastError: null, failingMs: null };
      await vi.waitFor(async () => expect(await streams.statuses()).toEqual([idle]), 5_000);
    });

    it('give short chains turns while a long one is sent', async () => {
      const { stream, createTeams, organizations } = await createBench();
      const [first = '', other = ''] = organizations.toSorted();
      await createTeams(first, 30);
      const keeper = createKeeper();
      stream(keeper, { maxBatchEntries: 5 });
      await eventually(() => expect(keeper.entries).toHaveLength(32));
      expect(keeper.entries.findIndex((entry) => entry.organization_id === other)).toBeLessThan(10);
    });

    it('bound a batch by its size', async () => {
      const { stream, createTeams, organizations } = await createBench();
      await createTeams(organizations[0]!, 4);
      const keeper = { ...createKeeper(), maxBatchBytes: 100 };
      const sizes: number[] = [];
      keeper.send = async (lines) => void sizes.push(lines.length);
      stream(keeper);
      await eventually(() => expect(sizes).toEqual([1, 1, 1, 1, 1, 1]));
    });

    it('go on after a failure where they were, and hold up no change', async () => {
      const { stream, createTeams, organizations, events, heads } = await createBench();
      const keeper = createKeeper();
      keeper.fail = () => {
        throw new AuditDeliveryError('answered 500');
      };
      const healthy = createKeeper('healthy');
      const streams = stream(keeper);
      stream(healthy);
      await createTeams(organizations[0]!, 3);
      await eventually(() => expect(keeper.calls).toBeGreaterThan(3));
      const [status] = await streams.statuses();
      expect(status).toMatchObject({ waiting: 5, lastError: 'answered 500' });
      expect(status!.oldestMs).toBeGreaterThan(0);
      expect(status!.failingMs).toBeGreaterThan(0);
      await eventually(() => expect(healthy.entries).toHaveLength(5));
      keeper.fail = undefined;
      await eventually(() => expect(keeper.entries).toHaveLength(5));
      expect(await verifyAudit(keeper.entries, { heads: await heads() })).toMatchObject({ faults: [] });
      await eventually(() => expect(events.at(-1)).toEqual({ type: 'recovered', destination: 'keeper' }));
      const delays = events.flatMap((event) => (event.type === 'failed' ? [event.delayMs] : []));
      expect(delays[0]).toBeLessThanOrEqual(10);
      expect(Math.max(...delays)).toBeGreaterThan(25);
      expect(Math.max(...delays)).toBeLessThanOrEqual(40);
    });

    it('run in one process at a time, and continue in another after a stop', async () => {
      const { stream, createTeams, organizations, second, heads } = await createBench();
      const [keeper, elsewhere] = [createKeeper(), createKeeper()];
      const streams = stream(keeper);
      await eventually(() => expect(keeper.entries).toHaveLength(2));
      stream(elsewhere, { database: second });
      await createTeams(organizations[0]!, 5);
      await eventually(() => expect(keeper.entries).toHaveLength(7));
      expect(elsewhere.entries).toEqual([]);
      await streams.stop();
      await createTeams(organizations[1]!, 2);
      await eventually(() => expect(elsewhere.entries).toHaveLength(2));
      const entries = [...keeper.entries, ...elsewhere.entries];
      expect(await verifyAudit(entries, { heads: await heads() })).toMatchObject({ entries: 9, faults: [] });
    });

    it('store no progress once another process took over', async () => {
      const { stream, createTeams, organizations, second, heads } = await createBench();
      const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = createKeeper();
      const { send } = slow;
      slow.send = async (lines) => {
        begun.resolve();
        await held.promise;
        await send(lines);
      };
      stream(slow, { sendTimeoutMs: 60_000 });
      await begun.promise;
      const other = createKeeper();
      stream(other, { database: second, maxBatchEntries: 1 });
      await eventually(() => expect(other.entries.length).toBeGreaterThanOrEqual(2));
      await createTeams(organizations[0]!, 2);
      held.resolve();
      await eventually(() => expect(other.entries).toHaveLength(4));
      expect(slow.entries).toHaveLength(2);
      expect(await verifyAudit(other.entries, { heads: await heads() })).toMatchObject({ faults: [] });
    });

    it('append to a file that survives rotation and a torn line', async () => {
      const { stream, createTeams, organizations, heads } = await createBench();
      const folder = mkdtempDisposableSync(join(tmpdir(), 'leeward-audit-'));
      cleanups.push(() => folder.remove());
      const path = join(folder.path, 'audit.ndjson');
      writeFileSync(path, '{"audit_id":"01');
      const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').slice(0, -1);
      const streams = stream(createFileDestination(path));
      await eventually(() => expect(linesOf(path)).toHaveLength(3));
      const rotated = `${path}.1`;
      renameSync(path, rotated);
      await createTeams(organizations[0]!, 2);
      await eventually(() => expect(linesOf(path)).toHaveLength(2));
      await streams.stop();
      const [torn, ...whole] = linesOf(rotated);
      expect(torn).toBe('{"audit_id":"01');
      const entries = [...whole, ...linesOf(path)].map((line) => JSON.parse(line) as AuditItem);
      expect(await verifyAudit(entries, { heads: await heads() })).toMatchObject({ entries: 4, faults: [] });
    });

    it('report a folder that is missing by its code, until it is there', async () => {
      const { stream } = await createBench();
      const streams = stream(createFileDestination('/nonexistent-leeward/audit.ndjson'));
      await vi.waitFor(async () => expect(await streams.statuses()).toMatchObject([{ lastError: 'ENOENT' }]));
    });

    it('send syslog frames, and repeat those of a receiver that did not read to their end', async () => {
      const { stream, createTeams, organizations, heads } = await createBench();
      const receiver = await createReceiver();
      await receiver.stop();
      const streams = stream(createSyslogDestination({ host: '127.0.0.1', port: receiver.port }));
      await vi.waitFor(async () => expect(await streams.statuses()).toMatchObject([{ lastError: 'ECONNREFUSED' }]));
      receiver.answer = (socket) => socket.destroy();
      await receiver.listen();
      await eventually(() => expect(receiver.connections).toBeGreaterThan(1));
      expect((await streams.statuses())[0]).toMatchObject({ waiting: 2 });
      receiver.answer = undefined;
      await createTeams(organizations[0]!, 3);
      await vi.waitFor(async () => expect(await streams.statuses()).toMatchObject([{ waiting: 0 }]), 5_000);
      const entries = receiver.messages().map((message) => {
        const [, at, line = ''] = /^<109>1 (\S+) \S+ leeward - audit - (.*)$/s.exec(message) ?? [];
        const entry = JSON.parse(line) as AuditItem;
        expect(at).toBe(entry.at);
        return entry;
      });
      expect(await verifyAudit(entries, { heads: await heads() })).toMatchObject({ entries: 5, faults: [] });
    });
  });
}

/** A TCP server that keeps what it reads. */
async function createReceiver() {
  const sockets = new Set<Socket>();
  const chunks: Buffer[] = [];
  const server: Server = createServer((socket) => {
    receiver.connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    if (receiver.answer) return receiver.answer(socket);
    socket.on('data', (chunk) => void chunks.push(chunk));
  });
  const listen = (port = 0) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen();
  const { port } = server.address() as { port: number };
  const receiver = {
    port,
    connections: 0,
    answer: undefined as undefined | ((socket: Socket) => void),
    listen: () => listen(port),
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        if (server.listening) server.close(() => resolve());
        else resolve();
      }),
    messages() {
      const all: string[] = [];
      for (let rest = Buffer.concat(chunks); rest.length > 0; ) {
        const space = rest.indexOf(0x20);
        const end = space + 1 + Number(rest.subarray(0, space).toString());
        all.push(rest.subarray(space + 1, end).toString());
        rest = rest.subarray(end);
      }
      return all;
    },
  };
  cleanups.push(receiver.stop);
  return receiver;
}

it('names of destinations are stable', () => {
  const { id, name } = createFileDestination('/var/log/audit.ndjson');
  expect(name).toBe('file:/var/log/audit.ndjson');
  expect(id).toBe(createHash('sha256').update(name).digest('hex').slice(0, 32));
  expect(createSyslogDestination({ host: '::1', port: 514 }).name).toBe('syslog://[::1]:514');
});
