import { createHash } from 'node:crypto';
import { canonicalJson } from '@leeward/terms';
import { expect } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import type { StoreReader } from '../store/account-store.ts';
import { describeOnStores } from '../testing/describe-on-stores.ts';
import { system, type World } from '../testing/test-accounts.ts';
import { type AuditItem, auditHeadOf, auditItemOf } from './audit-entry.ts';
import { verifyAudit } from './verify-audit.ts';

const entriesOf = async (reader: StoreReader, organizationId: string | null) =>
  (await reader.list('audit', { where: { organization_id: organizationId } })).map(auditItemOf);
const headsOf = async (reader: StoreReader) => (await reader.list('audit_chains', {})).map(auditHeadOf);

/** Verifies all chains as another process reads them. */
const verified = async ({ stored }: World) => {
  const items = (await stored.second.reader.list('audit', {})).map(auditItemOf);
  return verifyAudit(items, { heads: await headsOf(stored.second.reader) });
};

describeOnStores('The hash chain of the audit log', (test) => {
  test('is one per organization, which others can verify from the documented format', async (world) => {
    const { accounts, ours, theirs } = world;
    await accounts.administration.tokens.create.run(system, { scopes: ['operator'] });
    const chains = [ours.organizationId, theirs.organizationId, null].map(async (organizationId) => {
      let previous: string | undefined;
      const items = await entriesOf(world.stored.store.reader, organizationId);
      for (const [index, { hash, ...item }] of items.entries()) {
        expect(item.sequence).toBe(index + 1);
        const fields = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
        expect(fields['previous_hash']).toBe(previous);
        expect(hash).toBe(createHash('sha256').update(canonicalJson(fields)).digest('hex'));
        previous = hash;
      }
      return items.length;
    });
    expect(await Promise.all(chains)).toEqual([3, 3, 1]);
    expect(await verified(world)).toMatchObject({ entries: 7, chains: 3, repeated: 0, faults: [], faultCount: 0 });
  });

  test('has no forks and no gaps when two processes write to it', async (world) => {
    const { accounts, elsewhere, ours } = world;
    const count = testVolume(20);
    const fresh = 'a'.repeat(26);
    const writes = Array.from({ length: count }, (_, index) => {
      const { administration, auditTrail } = index % 2 === 0 ? accounts : elsewhere;
      return [
        administration.teams.create.run(ours.admin, { name: `Team ${index}` }),
        // Both begin a chain.
        auditTrail.record({ actor: system, organizationId: fresh, action: 'quotes.erase', subjectId: `${index}` }),
      ];
    });
    await Promise.all(writes.flat());
    expect(await verified(world)).toMatchObject({ entries: 6 + 2 * count, chains: 3, faults: [] });
  });

  test('keeps its order when the clock is set back', async (world) => {
    const { elsewhere, clock, ours } = world;
    clock.ms -= 86_400_000;
    await elsewhere.administration.teams.create.run(ours.admin, { name: 'Yesterday' });
    const { items } = await elsewhere.administration.audit.list.run(ours.admin, { oldest_first: true });
    expect(items.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(items[3]!.at < items[2]!.at).toBe(true);
    expect((await verified(world)).faults).toEqual([]);
  });

  test('has no entry of a change that failed', async (world) => {
    const { stored, ours } = world;
    const before = await headsOf(stored.store.reader);
    const failed = world.accounts.administration.teams.create.run(
      ours.admin,
      { name: 'Never' },
      { beforeCommit: () => expect.fail('gone') },
    );
    await expect(failed).rejects.toThrow('gone');
    expect(await headsOf(stored.store.reader)).toEqual(before);
    expect((await verified(world)).faults).toEqual([]);
  });

  test('names the entry of every changed, removed, inserted or swapped one', async (world) => {
    const { accounts, ours } = world;
    for (let count = 0; count < 5; count++) await accounts.administration.teams.create.run(ours.admin, { name: 'T' });
    const items = await entriesOf(world.stored.store.reader, ours.organizationId);
    const heads = (await headsOf(world.stored.store.reader)).filter((head) => head.organization_id !== null);
    const ourHeads = heads.filter((head) => head.organization_id === ours.organizationId);
    const faultsOf = async (changed: readonly AuditItem[], since?: string) =>
      (await verifyAudit(changed, { heads: ourHeads, since })).faults.map(
        ({ code, sequence }) => `${code} ${sequence}`,
      );
    expect(await faultsOf(items)).toEqual([]);
    for (const field of Object.keys(items[4]!) as (keyof AuditItem)[]) {
      const value = items[4]![field];
      const other =
        typeof value === 'number' ? value - 4 : typeof value === 'object' ? { ...value, a: 1 } : `${value}1`;
      const changed = items.with(4, { ...items[4]!, [field]: other });
      expect(await faultsOf(changed), field).toContain(field === 'sequence' ? 'altered 1' : 'altered 5');
    }
    const [three, four] = items.slice(2) as [AuditItem, AuditItem];
    expect(await faultsOf(items.toSpliced(2, 1))).toEqual(['missing 3']);
    expect(await faultsOf(items.toSpliced(2, 2, four, three))).toEqual(['missing 3', 'out_of_order 3']);
    expect(await faultsOf(items.toSpliced(2, 0, three))).toEqual(['out_of_order 3']);
    expect(await faultsOf(items.slice(0, -2))).toEqual(['tail_missing 7']);
    expect(await faultsOf(items.slice(1))).toEqual(['missing 1']);
    expect(await faultsOf([])).toEqual(['tail_missing 1']);
    // Replaced with a hash that fits its contents.
    const { hash: _, ...forged } = { ...three, subject_id: 'other' };
    const fields = Object.fromEntries(Object.entries(forged).filter(([, value]) => value !== null));
    const hash = createHash('sha256').update(canonicalJson(fields)).digest('hex');
    expect(await faultsOf(items.with(2, { ...forged, hash }))).toEqual(['unlinked 4']);
    const forgedLast = { ...items[7]!, subject_id: 'other', hash: '' };
    expect(await faultsOf(items.with(7, forgedLast))).toEqual(['altered 8', 'head_differs 8']);
    // Entries that came after the ends were read.
    const early = ourHeads.map((head) => ({ ...head, sequence: 3, audit_id: three.audit_id, hash: three.hash }));
    expect((await verifyAudit(items, { heads: early })).faults).toEqual([]);
    expect((await verifyAudit(items, { heads: [] })).faults).toMatchObject([{ code: 'head_missing', sequence: 8 }]);
    // A part that begins later.
    expect(await faultsOf(items.slice(3), four.at)).toEqual([]);
    expect(await faultsOf(items.slice(3, -1), four.at)).toEqual(['tail_missing 8']);
  });

  test('names people by no value', async (world) => {
    const { accounts, ours } = world;
    const { producers, audit } = accounts.administration;
    const { producer_id, revision } = await producers.create.run(ours.admin, {
      team_id: ours.teamId,
      email: 'pat@suncoast.example',
      name: 'Pat Rivera',
    });
    await producers.update.run(ours.admin, { producer_id, revision, name: 'Pat Rivers' });
    await producers.remove.run(ours.admin, { producer_id });
    const { items } = await audit.list.run(ours.admin, { subject_id: producer_id });
    expect(items.map(({ changes }) => changes['name'])).toEqual([
      { changed: true },
      { changed: true },
      { changed: true },
    ]);
    expect(items[1]).toMatchObject({ changes: { name: { changed: true } }, before_hash: items[2]!.after_hash });
    expect(items[1]!.after_hash).not.toBe(items[1]!.before_hash);
    expect(JSON.stringify(items)).not.toMatch(/pat|riv/i);
  });

  test('is found by its organization alone', async ({ accounts, ours, theirs }) => {
    const { audit, tokens } = accounts.administration;
    await tokens.create.run(system, { scopes: ['operator'] });
    expect((await audit.heads.run(ours.admin, {})).items).toMatchObject([
      { organization_id: ours.organizationId, sequence: 3 },
    ]);
    expect((await audit.heads.run(system, {})).items).toHaveLength(3);
    expect((await audit.heads.run(system, { instance: true })).items).toMatchObject([
      { organization_id: null, sequence: 1 },
    ]);
    expect((await audit.list.run(system, { instance: true })).items).toHaveLength(1);
    for (const request of [{ instance: true }, { organization_id: theirs.organizationId }])
      for (const operation of [audit.list, audit.heads])
        await expect(operation.run(ours.admin, request)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('lists entries since an instant, oldest first', async ({ accounts, clock, ours }) => {
    const { audit, teams } = accounts.administration;
    clock.ms += 60_000;
    await teams.create.run(ours.admin, { name: 'Later' });
    const since = new Date(clock.ms).toISOString();
    const { items } = await audit.list.run(ours.admin, { oldest_first: true, since });
    expect(items).toMatchObject([{ sequence: 4, action: 'teams.create' }]);
    await expect(audit.list.run(ours.admin, { since })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
