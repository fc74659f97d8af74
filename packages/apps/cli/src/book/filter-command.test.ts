import { type Property, parseRequest, STATUS_CODES } from '@leeward/engine';
import { RecordBatchReader, tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { readCatalog } from '../carriers/carrier-files.ts';
import { fewCarriers } from '../testing/few-carriers.ts';
import { runWords } from '../testing/run-words.ts';

const asOf = '2026-11-20T12:00:00Z';
const few = fewCarriers();
afterAll(() => few[Symbol.dispose]());
const { environment } = few;
const catalog = readCatalog(environment.LEEWARD_CARRIERS, '.');
const keys = catalog.carriers.map(({ key }) => key);
const types = catalog.vocabulary.policyTypes;
const statusesOf = (property: Property) => {
  const codes = catalog.statusCodes(property);
  const named = (from: number) => keys.map((key, carrier) => [key, STATUS_CODES[codes[from + carrier]!]] as const);
  if (property.policyType !== undefined) return Object.fromEntries(named(0));
  return Object.fromEntries(
    keys.map((key, carrier) => [
      key,
      Object.fromEntries(types.map((type, index) => [type, STATUS_CODES[codes[index * keys.length + carrier]!]])),
    ]),
  );
};
const expected = (body: object) => {
  const parsed = parseRequest({ ...body, as_of: asOf }, { now: new Date(asOf) });
  return parsed.ok ? { statuses: statusesOf(parsed.request.property) } : { faults: parsed.faults };
};
const homes = [
  { state: 'tx', policy_type: 'ho3', total_claims: 1, year_built: 1987 },
  { state: 'Florida', policy_type: 'HO-5', dwelling_a: '250000' },
  { state: 'tx', county: 'harris' },
  { state: 'nowhere', policy_type: 'ho3' },
  { state: 'la', policy_type: 'dp3', roof_type: 'tile' },
];

/** As they are read: a type of roof without its age counts as unknown. */
const readHomes = homes.map((home) => ({ ...home, roof_type: null }));

describe('book filter', () => {
  it('answers each line of JSON, for every policy type by default', async () => {
    const input = `${homes.map((home) => JSON.stringify(home)).join('\n')}\n{"state": oops\n\n"tx"\n`;
    const { code, bytes } = await runWords(['book', 'filter', '--format', 'ndjson', '--as-of', asOf], {
      environment,
      input,
    });
    expect(code).toBe(0);
    const lines = String(bytes).trimEnd().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as { row: number; faults?: { code: string }[] });
    expect(answers.map(({ row }) => row)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    readHomes.forEach((home, index) => {
      expect(answers[index]).toEqual({ row: index + 1, ...expected(home) });
    });
    expect(answers.slice(5).map(({ faults }) => faults?.[0]?.code)).toEqual(['malformed_row', 'invalid_type']);
  });

  it('answers CSV with CSV, and Arrow with Arrow', async () => {
    const csv = 'state,policy_type,total_claims\ntx,ho3,1\ntx,ho3,many\nfl,ho3,9\n';
    const text = await runWords(['book', 'filter', '--format', 'csv', '--as-of', asOf], { environment, input: csv });
    const [head, first, second, third] = String(text.bytes).split('\n');
    expect(head).toBe(['row', ...keys].join(','));
    const bodies = [{ total_claims: 1, state: 'tx' }, undefined, { total_claims: 9, state: 'fl' }];
    [first, second, third].forEach((line, index) => {
      const body = bodies[index];
      const wanted = body && expected({ ...body, policy_type: 'ho3' });
      const cells = wanted && 'statuses' in wanted ? Object.values(wanted.statuses) : keys.map(() => '');
      expect(line).toBe([index + 1, ...cells].join(','));
    });
    const table = tableFromArrays({
      state: ['tx', 'tx', 'fl'],
      policy_type: ['ho3', 'ho4', 'ho3'],
      total_claims: [1, 2, 9],
    });
    const input = Buffer.from(tableToIPC(table, 'stream'));
    const arrow = await runWords(['book', 'filter', '--format', 'arrow', '--as-of', asOf], { environment, input });
    const rows = tableFromIPC(RecordBatchReader.from(arrow.bytes)).toArray() as Record<string, unknown>[];
    expect(rows.map((row) => Number(row['row']))).toEqual([1, 2, 3]);
    expect(rows.map((row) => keys.map((key) => row[key] ?? ''))).toEqual(
      [first, second, third].map((line) => line!.split(',').slice(1)),
    );
  });

  it('writes the long form with the reasons of each decline', async () => {
    const input = homes.map((home) => `${JSON.stringify(home)}\n`).join('');
    const long = (format: string) =>
      runWords(['book', 'filter', '--format', 'ndjson', '--out-format', format, '--long', '--as-of', asOf], {
        environment,
        input,
      });
    const lines = String((await long('ndjson')).bytes)
      .trimEnd()
      .split('\n');
    const wanted = readHomes.flatMap((home, index) => {
      const parsed = parseRequest({ ...home, as_of: asOf }, { now: new Date(asOf) });
      if (!parsed.ok || parsed.request.property.policyType === undefined) return [];
      const { property } = parsed.request;
      const declines = new Map(catalog.declines(property).map((each) => [each.carrierKey, each.reasons]));
      return Object.entries(statusesOf(property)).flatMap(([key, status]) => {
        const codes = [...new Set((declines.get(key) ?? []).map(({ code }) => code))];
        return status === 'not_offered' ? [] : [{ row: index + 1, carrier_key: key, status, codes }];
      });
    });
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual(wanted);
    expect(wanted.some(({ codes }) => codes.length > 0)).toBe(true);
    const csv = String((await long('csv')).bytes)
      .trimEnd()
      .split('\n');
    expect(csv).toEqual([
      'row,carrier_key,status,codes,terms,possible_terms',
      ...wanted.map(
        ({ row, carrier_key: key, status, codes }) => `${row},${key},${String(status)},${codes.join(' ')},,`,
      ),
    ]);
    const columns = tableFromIPC((await long('arrow')).bytes!).toArray();
    expect(columns.map((each) => ({ ...each.toJSON(), row: Number(each.row) }))).toEqual(
      wanted.map(({ codes, ...rest }) => ({ ...rest, codes: codes.join(' '), terms: '', possible_terms: '' })),
    );
  });

  it('writes nothing for empty input', async () => {
    expect(await runWords(['book', 'filter'], { input: '' })).toMatchObject({ code: 0, errors: '' });
  });
});
