import { expect, it } from 'vitest';
import type { StoreReader } from './account-store.ts';
import { keepRecords } from './keep-records.ts';

function countingReader(commits: () => number | undefined) {
  let reads = 0;
  const records = new Map([['a', { token_id: 'a' }]]);
  const reader = {
    async get(_: string, id: string) {
      reads++;
      return records.get(id);
    },
  } as unknown as StoreReader;
  return { kept: keepRecords(reader, commits), records, reads: () => reads };
}

it('reads a record once between two commits, and again after each', async () => {
  let commit = 1;
  const { kept, records, reads } = countingReader(() => commit);
  for (let time = 0; time < 3; time++) expect(await kept.get('tokens', 'a')).toEqual({ token_id: 'a' });
  expect(reads()).toBe(1);
  records.delete('a');
  commit++;
  expect(await kept.get('tokens', 'a')).toBeUndefined();
  expect(reads()).toBe(2);
});

it('skips missing records, and all records if commits are not counted', async () => {
  const strangers = countingReader(() => 1);
  for (let time = 0; time < 3; time++) await strangers.kept.get('tokens', 'b');
  expect(strangers.reads()).toBe(3);
  const uncounted = countingReader(() => undefined);
  for (let time = 0; time < 3; time++) await uncounted.kept.get('tokens', 'a');
  expect(uncounted.reads()).toBe(3);
});

it('does not keep what was being read when something was committed', async () => {
  let commit = 1;
  const waiting: ((record: object) => void)[] = [];
  const reader = { get: () => new Promise((resolve) => waiting.push(resolve)) } as unknown as StoreReader;
  const kept = keepRecords(reader, () => commit);
  const before = kept.get('tokens', 'a');
  commit = 2;
  const other = kept.get('tokens', 'b');
  waiting[0]?.({ revoked: false });
  waiting[1]?.({});
  await Promise.all([before, other]);
  const after = kept.get('tokens', 'a');
  waiting[2]?.({ revoked: true });
  expect(await after).toEqual({ revoked: true });
});
