import { createCatalog } from '@leeward/engine';
import { expect, it } from 'vitest';
import { claimsRuleSet } from '../../../../../test/support/claims-rule-set.ts';
import {
  addressesVersion,
  catalogStamp,
  coastlineVersion,
  decisionVersions,
  versionHeaders,
} from './answer-versions.ts';

const entry = (version: string) => ({ file: claimsRuleSet({ key: 'oak', version }) });

it('names equal rules alike, and other rules differently', () => {
  const stamp = catalogStamp(createCatalog([entry('1')]));
  expect(stamp).toMatch(/^[0-9a-f]{32}$/);
  expect(catalogStamp(createCatalog([entry('1')]))).toBe(stamp);
  expect(catalogStamp(createCatalog([entry('2')]))).not.toBe(stamp);
});

it('writes a dictionary of RFC 9651, without absent versions', () => {
  const versions = decisionVersions(createCatalog([entry('1')]), { coastline: 'a "quoted" \\ name' });
  expect(versionHeaders(versions)).toEqual({
    'leeward-versions': `engine="${versions.engine}", rules="${versions.rules}", coastline="a \\"quoted\\" \\\\ name"`,
  });
  expect(versionHeaders({})).toEqual({});
  expect(versionHeaders(undefined)).toEqual({});
});

it('replaces a value that is long or not ASCII by its hash', () => {
  const shores = Array.from({ length: 40 }, (_, index) => ({ name: `shore-${index}`, version: '2026' }));
  expect(coastlineVersion(shores)).toMatch(/^[0-9a-f]{32}$/);
  expect(coastlineVersion(shores.slice(0, 2))).toBe('shore-0 2026; shore-1 2026');
  expect(addressesVersion(['Peñasco 1\r\nx: y'])).toMatch(/^[0-9a-f]{32}$/);
  expect(addressesVersion(['b 2', 'a 1', 'b 2'])).toBe('a 1; b 2');
  expect([coastlineVersion([]), addressesVersion([])]).toEqual([undefined, undefined]);
});
