import { createHash } from 'node:crypto';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type AuditItem, createAccounts, createMemoryStore } from '@leeward/accounts';
import { canonicalJson } from '@leeward/terms';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { runWords } from '../testing/run-words.ts';
import { verifyFiles } from './verify-files.ts';

const system = { system: 'test' };

/** Two chains, mixed. */
async function createLines(count: number) {
  const accounts = createAccounts({ store: createMemoryStore() });
  const { organizations, teams, audit } = accounts.administration;
  const owners = await Promise.all(
    ['A', 'B'].map(async (name) => (await organizations.create.run(system, { name })).organization_id),
  );
  for (let index = 0; index < count - 2; index++)
    await teams.create.run(system, { organization_id: owners[index % 2]!, name: `Team ${index} ü` });
  const lines: string[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: { items: AuditItem[]; next: string | null } = await audit.list.run(system, {
      oldest_first: true,
      limit: 1_000,
      ...(cursor !== null && { cursor }),
    });
    lines.push(...page.items.map((item) => JSON.stringify(item)));
    if (page.next === null) break;
    cursor = page.next;
  }
  return { accounts, owners, lines };
}

/** A single long chain. */
function chainLines(count: number): string[] {
  let previous: string | null = null;
  return Array.from({ length: count }, (_, index) => {
    const entry: Omit<AuditItem, 'hash'> = {
      audit_id: String(index).padStart(26, '0'),
      organization_id: 'a'.repeat(26),
      sequence: index + 1,
      at: '2026-11-20T12:00:00.000Z',
      actor: { type: 'token', id: 'b'.repeat(26), user_id: null },
      network: '203.0.113.0/24',
      action: 'teams.update',
      subject_id: 'c'.repeat(26),
      request_id: null,
      changes: { name: { before: `Team\u2028${index} ü`, after: `Team ${index + 1}` } },
      before_hash: '0'.repeat(64),
      after_hash: '1'.repeat(64),
      previous_hash: previous,
    };
    const line = withHash(entry);
    previous = (JSON.parse(line) as AuditItem).hash;
    return line;
  });
}

/** By the documented format. */
function withHash(entry: Omit<AuditItem, 'hash'>): string {
  const fields = Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null));
  return JSON.stringify({ ...entry, hash: createHash('sha256').update(canonicalJson(fields)).digest('hex') });
}

function createFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'leeward-audit-'));
  return {
    path: folder.path,
    write: (name: string, content: string | Uint8Array) => writeFileSync(join(folder.path, name), content),
    verify: (...words: string[]) => runWords(['audit', 'verify', ...words], { folder: folder.path }),
    [Symbol.dispose]: () => folder.remove(),
  };
}

const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

describe('leeward audit verify of the file of a stream', () => {
  it('accepts mixed chains, equal repeated lines, torn lines, rotated and compressed files', async () => {
    using folder = createFolder();
    const { lines, owners } = await createLines(12);
    const torn = lines[8]!.slice(0, 40);
    folder.write('audit.ndjson.2.gz', gzipSync(textOf(lines.slice(2, 6))));
    folder.write('audit.ndjson.1', textOf([...lines.slice(4, 8), torn]));
    folder.write('audit.ndjson', textOf(lines.slice(6)));
    const names = ['audit.ndjson.2.gz', 'audit.ndjson.1', 'audit.ndjson'];
    const { code, output } = await folder.verify(...names);
    expect(code).toBe(0);
    expect(output).toMatch(/^10 entries of 2 chains verified/);
    expect(output).toContain(`${owners[0]}: entries 2 to 6, from `);
    expect(output).toContain('4 repeated lines are equal.');
    const json = JSON.parse((await folder.verify(...names, '--json')).output);
    expect(json).toMatchObject({ kind: 'stream', entries: 10, repeated: 4, fault_count: 0, faults: [] });
    expect(json.ranges).toHaveLength(2);
  });

  it('names file, line and entry of each fault', async () => {
    using folder = createFolder();
    const { lines } = await createLines(10);
    const outputOf = async (changed: readonly string[]) => {
      folder.write('audit.ndjson', textOf(changed));
      const { code, output } = await folder.verify('audit.ndjson');
      expect(code).toBe(1);
      return output;
    };
    const replaced = lines[5]!.replace('Team 3', 'Team 4');
    expect(await outputOf(lines.with(5, replaced))).toMatch(/audit\.ndjson:6: \w+: Entry 3 \(.*was changed/);
    expect(await outputOf([...lines, replaced])).toMatch(/audit\.ndjson:11: \w+: Entry 3 \(.*was changed/);
    expect(await outputOf(lines.toSpliced(5, 1))).toMatch(/audit\.ndjson:7: \w+: Entry 3 is missing before/);
    const { hash: _, ...entry } = JSON.parse(lines[5]!) as AuditItem;
    const forged = withHash({ ...entry, subject_id: 'other' });
    expect(await outputOf(lines.with(5, forged))).toMatch(/audit\.ndjson:8: \w+: Entry 4 \(.*does not follow entry 3/);
    expect(await outputOf([...lines, forged])).toContain('differs from the earlier entry 3');
    expect(await outputOf([...lines, lines[0]!.slice(0, 30)])).toMatch(/audit\.ndjson:11: This line is not JSON/);
    folder.write('audit.ndjson', textOf(lines).slice(0, -3));
    expect((await folder.verify('audit.ndjson')).output).toMatch(/audit\.ndjson:10: The file ends within this line/);
    // Ignored by the hash: a space, an escape, the name of an empty field.
    for (const [from, to] of [
      ['"sequence":3', '"sequence": 3'],
      ['"Team', '"\\u0054eam'],
      ['"request_id":null', '"request_ix":null'],
    ] as const)
      expect(await outputOf(lines.with(5, lines[5]!.replace(from, to)))).toMatch(/audit\.ndjson:6: This line /);
  });

  it('finds any changed byte of a stream and of an export', async () => {
    using folder = createFolder();
    const { lines, accounts } = await createLines(6);
    const { items } = await accounts.administration.audit.heads.run(system, {});
    const heads = items.map((head) => JSON.stringify({ head }));
    const texts = {
      stream: textOf(lines),
      export: textOf(['{"format":"leeward.audit/1","since":null}', ...heads, ...lines]),
    };
    const random = createRandom(Number(process.env['LEEWARD_SEED'] ?? 1));
    for (const [kind, text] of Object.entries(texts)) {
      folder.write('audit.ndjson', text);
      expect(await verifyFiles(['audit.ndjson'], folder.path)).toMatchObject({ kind, faultCount: 0 });
      for (let round = 0; round < testVolume(150); round++) {
        const bytes = Buffer.from(text);
        const at = Math.floor(random() * bytes.length);
        const before = bytes[at]!;
        bytes[at] = round % 2 === 0 ? Math.floor(random() * 256) : [0x20, 0x0a, 0x0d, 0x30, 0x61][round % 5]!;
        if (bytes[at] === before) continue;
        folder.write('audit.ndjson', bytes);
        const count = await verifyFiles(['audit.ndjson'], folder.path).then(
          ({ faultCount }) => faultCount,
          () => 1,
        );
        expect(count, `${kind}: byte ${at} is ${bytes[at]}, was ${before}`).toBeGreaterThan(0);
      }
    }
  }, 600_000);

  it('verifies many entries and names the changed one', async () => {
    using folder = createFolder();
    const count = testVolume(5_000);
    const lines = chainLines(count);
    folder.write('audit.ndjson', textOf(lines));
    expect(await verifyFiles(['audit.ndjson'], folder.path)).toMatchObject({ entries: count, faultCount: 0 });
    const at = Math.floor(count / 2);
    folder.write('audit.ndjson', textOf(lines.with(at, lines[at]!.replace('"Team', '"Beam'))));
    const { faults } = await verifyFiles(['audit.ndjson'], folder.path);
    expect(faults).toMatchObject([{ code: 'altered', place: `audit.ndjson:${at + 1}`, sequence: at + 1 }]);
  }, 600_000);
});
