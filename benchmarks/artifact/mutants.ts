/** `node benchmarks/artifact/mutants.ts demo|carriers [mutants] [homes] [seed] [minutes]`: counts changed tables that the vectors find. */
import { createCatalog } from '@leeward/engine';
import { compileArtifact } from '../../packages/extend/artifact/src/compile/compile-artifact.ts';
import { plantMutants } from '../../packages/extend/artifact/src/testing/plant-mutants.ts';
import { fixtureCatalog } from '../../test/support/engine/fixture-catalog.ts';
import { createCarriers, toRuleSets } from '../engine/carriers.ts';

const SEED = 46;
const [name = 'demo', mutants = 100, homes = 20_000, seed = SEED, minutes = 60] = process.argv
  .slice(2)
  .map((text, index) => (index === 0 ? text : Number(text))) as [string?, number?, number?, number?, number?];
const started = process.cpuUsage();
const { bytes } = await compile();
console.log(`compiled: ${(process.cpuUsage(started).user / 1e6).toFixed(1)} s of CPU, ${bytes.length} bytes`);
const until = Date.now() + minutes * 60_000;
const { planted, kills, escaped } = await plantMutants(bytes, { homes, mutants, seed, until });
for (const [kind, count] of Object.entries(planted)) {
  console.log(`${kind.padEnd(10)} ${kills[kind as keyof typeof kills] ?? 0} of ${count} found`);
}
for (const each of escaped) console.log(`not found: ${each}`);

async function compile() {
  const catalog =
    name === 'demo' ? fixtureCatalog() : createCatalog(toRuleSets(createCarriers(SEED)).map((file) => ({ file })));
  return await compileArtifact(catalog, { from: '2026-01-01', to: '2026-12-31' });
}
