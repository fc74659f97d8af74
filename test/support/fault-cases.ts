import type { Manifest } from '@leeward/artifact';
import { homeVocabulary, parseRequest } from '@leeward/engine';

const AS_OF = '2026-11-20T12:00:00Z';

/** A home with an odd value, and its faults: field, code and message. */
export interface FaultCase {
  readonly home: Readonly<Record<string, unknown>>;
  readonly faults: readonly (readonly string[])[];
}

/** Odd values for each kind of input, in the types that a column of it can have. */
const oddNumbers = [
  -1,
  0,
  0.5,
  99,
  201,
  1599,
  2027,
  2028,
  10_000,
  1e9,
  1e-7,
  1e21,
  '',
  ' 7 ',
  '1,000',
  '+5',
  '٣',
  '1e3',
  '9'.repeat(99),
];
const oddTexts = ['', ' ', 'Prim-ary', 'prymary', '3 TAB shingle', '🏚'.repeat(60), 'a"b\\', '{value}', 'x'.repeat(300)];
const oddPlaces = ['', 'Texas', 'texs', 't x', 'zz', 'N. Carolina', 'x'.repeat(101), 'x'.repeat(201)];
const oddDates = [
  '2026-02-29',
  '2026-1-1',
  '1899-12-31',
  '2200-01-01',
  ' 2026-12-01 ',
  '2026-12-01T00:00:00Z',
  'x'.repeat(41),
];
const oddInstants = [
  '2026-11-20',
  '2026-11-20T25:00Z',
  '2026-11-20T12:00',
  '1899-01-01T00:00Z',
  '2026-11-20t12:00:00.123456789+05:30',
];

/** Homes with an odd value, and the faults of the same request over HTTP. */
export function faultCases({ inputs, sets }: Pick<Manifest, 'inputs' | 'sets'>): readonly FaultCase[] {
  const cases: FaultCase[] = [];
  const add = (home: Record<string, unknown>) => {
    const parsed = parseRequest(
      { state: 'tx', policy_type: 'ho3', as_of: AS_OF, ...home },
      { now: new Date(AS_OF), vocabulary: homeVocabulary },
    );
    const faults = parsed.ok ? [] : parsed.faults;
    cases.push({ home, faults: faults.map(({ path, code, message }) => [path.split('/')[1]!, code, message]) });
  };
  const values: Record<string, readonly unknown[]> = {
    number: oddNumbers,
    word: oddTexts,
    date: oddDates,
    zipcode: [0, 2139, 1.5, 100_000, '02139', '02139-1234', '2139', '', '0213a'],
  };
  for (const { kind, column, columns } of inputs)
    for (const name of columns?.map((each) => each.name) ?? [column])
      for (const value of values[kind] ?? []) add({ [name]: value });
  for (const value of oddPlaces) for (const name of ['state', 'county']) add({ [name]: value });
  for (const value of oddTexts.slice(2)) add({ policy_type: value });
  for (const value of oddDates) add({ effective_date: value });
  for (const value of oddInstants) add({ as_of: value });
  for (const [set, { words }] of Object.entries(sets)) {
    for (const list of [
      [],
      [words[0]!.toUpperCase()],
      [`${words[0]}q`, words[0], 'unheard of'],
      [''],
      Array(500).fill(words[0]),
    ])
      add({ [set]: list });
  }
  const [distance] = inputs.flatMap(({ columns }) => columns ?? []);
  add({ [distance!.name]: 1, [distance!.name.replace('miles', 'feet')]: 2 });
  return cases;
}
