import { expect, it } from 'vitest';
import { holdTo } from './hold-to.ts';
import { openCorpus } from './open-corpus.ts';
import { parquetCases } from './parquet-cases.ts';

const corpus = openCorpus('parquet-testing');

it.skipIf(!corpus)('Parquet files have the values that Arrow C++ reads, or are refused by name', async () => {
  const { folder, isWhole } = corpus!;
  const cases = await parquetCases('parquet-testing', folder);
  expect(cases.length).toBeGreaterThan(100);
  await holdTo('parquet-testing', cases, { isWhole });
});
