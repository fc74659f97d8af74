/** State, spelling, counties. */
export const aliases: readonly (readonly [state: string, spelling: string, ...fips: string[]])[] = [
  // Former names (Census Bureau, changes since 1970).
  ['ak', 'Wade Hampton Census Area', '02158'],
  ['ak', 'Petersburg Census Area', '02195'],
  ['ak', 'Valdez-Cordova Census Area', '02063', '02066'],
  ['fl', 'Dade County', '12086'],
  ['sd', 'Shannon County', '46102'],
  ['va', 'Bedford city', '51019'],
  ['va', 'Clifton Forge city', '51005'],
  ['va', 'South Boston city', '51083'],
  // Colloquial names.
  ['ak', 'Mat-Su Borough', '02170'],
  ['dc', 'Washington', '11001'],
  ['dc', 'Washington DC', '11001'],
  ['dc', 'DC', '11001'],
  ['hi', 'Oahu', '15003'],
  ['mo', 'St Genevieve County', '29186'],
  ['nv', 'Carson', '32510'],
  ['ny', 'Brooklyn', '36047'],
  ['ny', 'Manhattan', '36061'],
  ['ny', 'Staten Island', '36085'],
  ['ny', 'The Bronx', '36005'],
];

/** And the codes that hold the place now. */
export const replacedCodes: ReadonlyMap<string, readonly string[]> = new Map([
  ['02261', ['02063', '02066']],
  ['02270', ['02158']],
  ['12025', ['12086']],
  ['46113', ['46102']],
  ['51515', ['51019']],
  ['51560', ['51005']],
  ['51780', ['51083']],
]);
