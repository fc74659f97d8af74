const places = [
  ['fl', 'broward'],
  ['tx', 'harris'],
  ['la', 'jefferson'],
  ['sc', 'horry'],
  ['al', 'mobile'],
] as const;
const heading =
  'state,county,policy_type,year_built,roof_type,roof_age,dwelling_a,total_claims,protection_class,acreage,usage,ownership,primary_plumbing,primary_wiring,x_note';

/**
 * Writes a CSV book, always the same for the same number of rows. One row in 997 cannot be evaluated, and every row
 * contains markup.
 */
export function writePageBook(rows: number): string {
  let state = 7;
  const upTo = (end: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % end;
  };
  const pick = <T>(of: readonly T[]): T => of[upTo(of.length)]!;
  const lines = Array.from({ length: rows }, (_, index) =>
    [
      ...pick(places),
      pick(['ho3', 'HO-5', 'dp3']),
      1950 + upTo(75),
      pick(['metal', 'tile', '3-tab shingle']),
      upTo(30),
      150_000 + 1000 * upTo(700),
      index % 997 === 0 ? 'many' : upTo(4),
      1 + upTo(10),
      upTo(50) / 10,
      pick(['primary', 'secondary', 'rental']),
      'personal',
      pick(['copper', 'pex']),
      'copper',
      `"<img src=x onerror=alert(1)> ${index}"`,
    ].join(','),
  );
  return `${[heading, ...lines].join('\n')}\n`;
}
