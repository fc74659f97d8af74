import { fold } from '../fold.ts';

/** The fifty states, the District of Columbia and the inhabited territories, by their postal abbreviations. */
const names: Readonly<Record<string, string>> = {
  al: 'Alabama',
  ak: 'Alaska',
  az: 'Arizona',
  ar: 'Arkansas',
  ca: 'California',
  co: 'Colorado',
  ct: 'Connecticut',
  de: 'Delaware',
  dc: 'District of Columbia',
  fl: 'Florida',
  ga: 'Georgia',
  hi: 'Hawaii',
  id: 'Idaho',
  il: 'Illinois',
  in: 'Indiana',
  ia: 'Iowa',
  ks: 'Kansas',
  ky: 'Kentucky',
  la: 'Louisiana',
  me: 'Maine',
  md: 'Maryland',
  ma: 'Massachusetts',
  mi: 'Michigan',
  mn: 'Minnesota',
  ms: 'Mississippi',
  mo: 'Missouri',
  mt: 'Montana',
  ne: 'Nebraska',
  nv: 'Nevada',
  nh: 'New Hampshire',
  nj: 'New Jersey',
  nm: 'New Mexico',
  ny: 'New York',
  nc: 'North Carolina',
  nd: 'North Dakota',
  oh: 'Ohio',
  ok: 'Oklahoma',
  or: 'Oregon',
  pa: 'Pennsylvania',
  ri: 'Rhode Island',
  sc: 'South Carolina',
  sd: 'South Dakota',
  tn: 'Tennessee',
  tx: 'Texas',
  ut: 'Utah',
  vt: 'Vermont',
  va: 'Virginia',
  wa: 'Washington',
  wv: 'West Virginia',
  wi: 'Wisconsin',
  wy: 'Wyoming',
  as: 'American Samoa',
  gu: 'Guam',
  mp: 'Northern Mariana Islands',
  pr: 'Puerto Rico',
  vi: 'U.S. Virgin Islands',
};

export const stateCodes: readonly string[] = Object.keys(names);

const bySpelling = new Map<string, string>([
  ...Object.entries(names).flatMap(([code, name]): [string, string][] => [
    [code, code],
    [fold(name), code],
  ]),
  ['washingtondc', 'dc'],
  ['virginislands', 'vi'],
  ['usvi', 'vi'],
]);

/** The lower-case abbreviation of the state meant by `"FL"`, `"Florida"`; undefined where none is. */
export function findStateCode(text: string): string | undefined {
  return text.length <= 100 ? bySpelling.get(fold(text)) : undefined;
}
