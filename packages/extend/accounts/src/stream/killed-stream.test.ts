import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { testEngines } from '@leeward/database/testing';
import { describe, expect, it, vi } from 'vitest';
import { nodeFlags } from '../../../../../test/support/node-flags.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { createAccounts } from '../accounts.ts';
import type { AuditItem } from '../audit/audit-entry.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { accountsMigrations } from '../store/migrations.ts';
import { createSqlStore } from '../store/sql-store.ts';

const program = fileURLToPath(new URL('../test-programs/stream-audit.program.ts', import.meta.url));
const system = { system: 'test' };
const changes = testVolume(150);

for (const engine of await testEngines()) {
  describe.skipIf(engine.skip !== undefined)(`A stream of the audit log on ${engine.title}, killed`, () => {
    it('leaves no gap although its processes are killed again and again', { timeout: 60_000 }, async () => {
      await using place = await engine.createPlace();
      using folder = mkdtempDisposableSync(join(tmpdir(), 'leeward-audit-'));
      const path = join(folder.path, 'audit.ndjson');
      const database = await place.open({ migrations: [accountsMigrations] });
      const { organizations, teams, audit } = createAccounts({ store: createSqlStore(database) }).administration;
      const { organization_id } = await organizations.create.run(system, { name: 'Agency' });
      const streaming: string[] = [];
      let kills = 0;
      const children = new Map<string, ChildProcess>();
      const start = (name: string) => {
        const child = spawn(process.execPath, [...nodeFlags, program, place.url, path], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        children.set(name, child);
        child.stdout!.on('data', () => {
          streaming.push(name);
          // Sent, and perhaps not noted as sent.
          if (kills < 4 && child.kill('SIGKILL')) {
            kills++;
            start(name);
          }
        });
      };
      const names = ['first', 'second'];
      for (const name of names) start(name);
      const changing = (async () => {
        for (let index = 0; index < changes; index++) {
          await teams.create.run(system, { organization_id, name: `Team ${index}` });
        }
      })();
      const linesOf = () => (existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : []);
      try {
        await changing;
        await vi.waitFor(() => expect(new Set(linesOf()).size).toBe(changes + 1), { timeout: 40_000, interval: 50 });
      } finally {
        for (const child of children.values()) child.kill('SIGKILL');
      }
      expect(kills).toBe(4);
      expect(streaming.length).toBeGreaterThan(4);
      const { items: heads } = await audit.heads.run(system, {});
      // A Set keeps the order of first lines: what was sent again is equal byte for byte.
      const entries = [...new Set(linesOf())].map((line) => JSON.parse(line) as AuditItem);
      expect(await verifyAudit(entries, { heads })).toMatchObject({ entries: changes + 1, faults: [] });
    });
  });
}
