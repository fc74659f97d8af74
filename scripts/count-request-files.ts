import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { resolve } from 'node:path';
import { createCatalog } from '@leeward/engine';
import { createKeyHolder, createLeeward } from '@leeward/http';

// In how many of our files one warm underwriting request runs a function: `npm run count-request-files`.

const carriers = resolve(import.meta.dirname, '../fixtures/carriers');
const files = readdirSync(carriers).map(
  (key) => JSON.parse(readFileSync(resolve(carriers, key, 'rule-set.json'), 'utf8')) as unknown,
);
const token = `lw_test_01jd4v3x9m8k7h2q5t6w0y1z2a_${'k'.repeat(43)}`;
const leeward = createLeeward({
  directory: createKeyHolder([{ token, scopes: ['underwrite'] }]),
  underwriting: { catalog: createCatalog(files.map((file) => ({ file }))) },
});

async function ask(): Promise<void> {
  const response = await leeward.fetch(
    new Request('https://example.com/v1/underwrite/home', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ state: 'tx', county: 'harris', policy_type: 'ho3', roof_type: 'metal', roof_age: 12 }),
    }),
  );
  if (response.status !== 200) throw new Error(await response.text());
  await response.json();
}

for (let time = 0; time < 20; time++) await ask();
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await ask();
const { result } = await session.post('Profiler.takePreciseCoverage');
const run = result
  .filter(({ url, functions }) => {
    const isOurs = url.includes('/packages/') && !url.includes('/node_modules/');
    return isOurs && functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0);
  })
  .map(({ url }) => url.split('/packages/')[1]!)
  .sort();
for (const [name, of] of Map.groupBy(run, (path) => path.split('/')[1]!)) console.log(name, of.length);
console.log(run.length, 'files');
