import { expect, it } from 'vitest';
import { countyOfZip } from './county-of-zip.ts';
import { loadZipGazetteer } from './load-zip-gazetteer.ts';

it('returns the county of a ZIP code within it, and undefined if another is near', async () => {
  const gazetteer = await loadZipGazetteer();
  const known = { '34471': '12083', '33139': '12086', '77002': '48201', '75201': '48113' };
  for (const [zip, fips] of Object.entries(known)) expect(countyOfZip(gazetteer, zip)?.fips, zip).toBe(fips);
  // Manhattan is narrow; 32784 is in Lake and Marion; 00000 is none; Puerto Rico's have no county here; 32827 and 32836 lie at the line of
  // Orange County.
  for (const zip of ['10001', '32784', '32827', '32836', '00000', '00911'])
    expect(countyOfZip(gazetteer, zip), zip).toBeUndefined();
});
