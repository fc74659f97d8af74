// Runs on Node, Bun and Deno with packages that are installed: a decision, the shore, a county, a request to the handler.
import assert from 'node:assert/strict';
import { loadCoastlineUs } from '@leeward/coastline-us';
import { createCatalog, parseRequest } from '@leeward/engine';
import { createKeyHolder, createLeeward } from '@leeward/http';
import { findCounties } from '@leeward/places/counties';

const when = { all: [{ fact: 'roof_age', operator: 'greaterThan', value: 20 }] };
const roof = { id: 'roof', outcome: 'decline', code: 'roof_age', message: 'A roof of {roof_age} years.', when };
const file = {
  format: 1,
  carrier: { key: 'bluestem', name: 'Bluestem Mutual' },
  version: '1',
  effective: { from: '2026-01-01' },
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'], rules: [roof] }],
};
const home = { state: 'Texas', policy_type: 'HO-3', roof_type: 'metal', roof_age: 25, effective_date: '2026-12-01' };
const catalog = createCatalog([{ file }]);

const parsed = parseRequest(home, { now: new Date('2026-11-20T12:00:00Z') });
assert(parsed.ok);
const { verdicts } = await catalog.decide(parsed.request.property);
assert.equal(verdicts[0].reasons[0].message, 'A roof of 25 years.');

const coast = loadCoastlineUs();
assert.equal(Math.round(coast.nearest({ latitude: 27.9506, longitude: -82.4572 }).distanceMeters), 619);

assert.equal(findCounties('fl', 'St. Johns County')[0].fips, '12109');

const key = `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}`;
const leeward = createLeeward({
  directory: createKeyHolder([{ token: key, scopes: ['underwrite', 'distance'] }]),
  underwriting: { catalog },
  distance: { coast },
});
const ask = (path, body) =>
  leeward.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  );
const decided = await ask('/v1/underwrite/home', home);
assert.equal(decided.status, 200);
assert.equal((await decided.json()).declined[0].reasons[0].message, 'A roof of 25 years.');
const measured = await ask('/v1/distance-to-coast', { lat: 27.9506, lng: -82.4572 });
assert.equal(measured.status, 200, await measured.clone().text());
const refused = await ask('/v1/underwrite/home', { state: 'zz' });
assert.equal(refused.status, 422);
assert.equal((await leeward.fetch(new Request('http://localhost/openapi.json'))).status, 200);
console.log('decided, measured, found, answered');
