import { afterAll, describe, expect, it } from 'vitest';
import { testStores } from '../testing/test-stores.ts';
import type { StoreReader } from './account-store.ts';
import type { OrganizationRecord } from './records.ts';

const organization = (id: string, name: string): OrganizationRecord => ({
  organization_id: id,
  name,
  catalog_stamp: 'stamp',
  revision: 1,
  created_at: 0,
  updated_at: 0,
});

const namesIn = async (reader: StoreReader) => {
  const records = await reader.list('organizations', {});
  const count = await reader.count('organizations', {});
  return [count, ...records.map(({ name }) => name)];
};

for (const kind of await testStores()) {
  describe.skipIf(kind.skip)(`A write on ${kind.title}`, () => {
    const stores = kind.open();
    afterAll(() => stores[Symbol.asyncDispose]());

    it('lists its changes, which others see only after the commit', async () => {
      await using stored = await stores.create();
      const { store } = stored;
      for (const id of ['a', 'b']) await store.write((writer) => writer.insert('organizations', organization(id, id)));
      await store.write(async (writer) => {
        await writer.insert('organizations', organization('c', 'new'));
        await writer.replace('organizations', organization('a', 'renamed'));
        await writer.remove('organizations', 'b');
        expect(await namesIn(writer)).toEqual([2, 'renamed', 'new']);
        expect((await writer.get('organizations', 'c'))?.name).toBe('new');
        // SQLite transactions cannot read through the store of their process.
        if (kind.title !== 'SQLite') expect(await namesIn(store.reader)).toEqual([2, 'a', 'b']);
      });
      expect(await namesIn(store.reader)).toEqual([2, 'renamed', 'new']);
      expect(await namesIn(stored.second.reader)).toEqual([2, 'renamed', 'new']);
    });

    it('leaves nothing when it fails', async () => {
      await using stored = await stores.create();
      const { store } = stored;
      const failed = store.write(async (writer) => {
        await writer.insert('organizations', organization('a', 'new'));
        expect(await namesIn(writer)).toEqual([1, 'new']);
        throw new Error('Given up.');
      });
      await expect(failed).rejects.toThrow('Given up.');
      expect(await namesIn(store.reader)).toEqual([0]);
    });
  });
}
