/** Postal abbreviation and name of the 50 states, the District of Columbia and the territories. */
const nameByState = new Map<string, string>(
  Object.entries({
    al: 'alabama',
    ak: 'alaska',
    as: 'american samoa',
    az: 'arizona',
    ar: 'arkansas',
    ca: 'california',
    co: 'colorado',
    ct: 'connecticut',
    de: 'delaware',
    dc: 'district of columbia',
    fl: 'florida',
    ga: 'georgia',
    gu: 'guam',
    hi: 'hawaii',
    id: 'idaho',
    il: 'illinois',
    in: 'indiana',
    ia: 'iowa',
    ks: 'kansas',
    ky: 'kentucky',
    la: 'louisiana',
    me: 'maine',
    md: 'maryland',
    ma: 'massachusetts',
    mi: 'michigan',
    mn: 'minnesota',
    ms: 'mississippi',
    mo: 'missouri',
    mt: 'montana',
    ne: 'nebraska',
    nv: 'nevada',
    nh: 'new hampshire',
    nj: 'new jersey',
    nm: 'new mexico',
    ny: 'new york',
    nc: 'north carolina',
    nd: 'north dakota',
    mp: 'northern mariana islands',
    oh: 'ohio',
    ok: 'oklahoma',
    or: 'oregon',
    pa: 'pennsylvania',
    pr: 'puerto rico',
    ri: 'rhode island',
    sc: 'south carolina',
    sd: 'south dakota',
    tn: 'tennessee',
    tx: 'texas',
    vi: 'u.s. virgin islands',
    ut: 'utah',
    vt: 'vermont',
    va: 'virginia',
    wa: 'washington',
    wv: 'west virginia',
    wi: 'wisconsin',
    wy: 'wyoming',
  }),
);

/** Without blanks, hyphens and points, so that "New-York", "new york" and "D.C." are read alike. */
const bare = (text: string): string => text.toLowerCase().replace(/[\s._-]/g, '');

const stateByName = new Map(
  [...nameByState].flatMap(([state, name]) => [state, name].map((key) => [bare(key), state])),
);
stateByName.set('virginislands', 'vi').set('usvi', 'vi').set('washingtondc', 'dc');

/** The lower-case abbreviation of a state given by name or abbreviation; undefined when it is none. */
export function readState(text: string): string | undefined {
  return stateByName.get(bare(text));
}
