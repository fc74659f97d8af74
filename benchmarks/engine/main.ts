/**
 * `npm run bench -- engine [--no-peers] [--json FILE]`: Leeward and its peers, after comparing their answers; then a
 * book of a million homes. `--no-peers` runs Leeward alone, in a tenth of the time.
 */
import { type Catalog, createCatalog, type Property, STATUS_CODES } from '@leeward/engine';
import { median, type Row, report } from '../report.ts';
import { measureBook } from './book.ts';
import { createCarriers, policyTypes, toRuleSets } from './carriers.ts';
import {
  type HomesByMissing,
  measureDecisions,
  measureGuides,
  measureManyCarriers,
  readDecision,
  time,
} from './decisions.ts';
import { createHomes, type Facts, toProperty, withMissing } from './homes.ts';
import { measureLargeFile } from './large-file.ts';
import { createCel } from './peers/cel.ts';
import { createClosures } from './peers/closures.ts';
import { createJsonLogic } from './peers/json-logic.ts';
import { createJsonRulesEngine, createPartitionedJsonRulesEngine } from './peers/json-rules-engine.ts';
import type { Peer } from './peers/peer.ts';
import { createZen } from './peers/zen.ts';

const args = process.argv.slice(2);
const SEED = 20261120;

const carriers = createCarriers(SEED);
const homes = createHomes(SEED + 1, 10_000);
const rows: Row[] = [];
const ratios: Record<string, number> = {};
const row = (name: string, value: number, unit: string) => rows.push({ name, median: value, unit });

async function timePeer(peer: Peer, reasons: boolean): Promise<number> {
  const sample = homes.slice(0, peer.homes);
  await peer.judge(sample[0]!, reasons);
  const rounds: number[] = [];
  for (let round = 0; round < 3; round++) {
    const start = process.hrtime.bigint();
    for (const home of sample) await peer.judge(home, reasons);
    rounds.push(Number(process.hrtime.bigint() - start) / 1000 / sample.length);
  }
  return median(rounds);
}

/** Compare the answers of every peer before timing. */
async function checkEqual(catalog: Catalog, peer: Peer): Promise<void> {
  for (const home of homes.slice(0, Math.min(peer.homes, 20))) {
    const theirs = await peer.judge(home, true);
    const ours = catalog.statusCodes(toProperty(home));
    const decision = catalog.decideSync(toProperty(home));
    theirs.statuses.forEach((status, carrier) => {
      if (STATUS_CODES[ours[carrier]!] === status) return;
      throw new Error(
        `${peer.name} says ${status} of ${carriers[carrier]!.key}, we say ${STATUS_CODES[ours[carrier]!]}: ${JSON.stringify(home)}`,
      );
    });
    for (const verdict of decision.verdicts) {
      if (verdict.status !== 'ineligible') continue;
      const carrier = carriers.findIndex((each) => each.key === verdict.carrierKey);
      const wanted = theirs.reasons[carrier]!.map((reason) => reason.code).sort();
      const given = verdict.reasons.map((reason) => reason.code).sort();
      // Leeward reports only the territory: other rules do not apply outside a carrier's states.
      if (given.includes('territory') ? !wanted.includes('territory') : given.join() !== wanted.join()) {
        throw new Error(
          `${peer.name} declines for ${wanted}, we for ${given}: ${verdict.carrierKey} ${JSON.stringify(home)}`,
        );
      }
    }
  }
}

/** With missing fields, we must decide what the three-valued oracle decides. */
async function checkMissing(catalog: Catalog, reference: Catalog, sample: readonly Property[]): Promise<string> {
  let compared = 0;
  let surer = 0;
  for (const property of sample) {
    const codes = catalog.statusCodes(property);
    for (const verdict of (await reference.decide(property)).verdicts) {
      const carrier = carriers.findIndex((each) => each.key === verdict.carrierKey);
      const ours = STATUS_CODES[codes[carrier]!];
      compared++;
      if (ours === verdict.status) continue;
      if (verdict.status === 'needs_information') surer++;
      else throw new Error(`The reference says ${verdict.status}, we say ${ours}: ${verdict.carrierKey}`);
    }
  }
  return `${compared} verdicts with fields missing equal to the reference's, ${surer} of them surer`;
}

const ruleSets = toRuleSets(carriers).map((file) => ({ file }));
const properties = homes.map(toProperty);
const missing10 = withMissing(homes, 0.1, SEED + 2).map(toProperty);
const missing30 = withMissing(homes, 0.3, SEED + 3).map(toProperty);
const allTypes = homes.map(({ policy_type, ...home }) => {
  void policy_type;
  return toProperty(home as Facts);
});

globalThis.gc?.();
const before = process.memoryUsage();
const started = performance.now();
const catalog = createCatalog(ruleSets);
const checked = performance.now();
for (const policyType of policyTypes) catalog.statusCodes({ ...properties[0]!, policyType });
const compiled = performance.now();
for (const policyType of policyTypes) readDecision(catalog.decideSync({ ...properties[0]!, policyType }));
const decided = performance.now();
globalThis.gc?.();
const after = process.memoryUsage();
const megabytes =
  (after.heapUsed + after.external + after.arrayBuffers - before.heapUsed - before.external - before.arrayBuffers) /
  1e6;

const reference = createCatalog(ruleSets, { evaluator: 'reference' });
console.error(await checkMissing(catalog, reference, [...missing10.slice(0, 8), ...missing30.slice(0, 8)]));
const peers: [string, Peer][] = args.includes('--no-peers')
  ? []
  : [
      ['json-rules-engine', createJsonRulesEngine(carriers)],
      ['json-rules-engine-partitioned', createPartitionedJsonRulesEngine(carriers)],
      ['zen', createZen(carriers)],
      ['json-logic-engine', createJsonLogic(carriers)],
      ['cel', createCel(carriers)],
      ['closures', createClosures(carriers)],
    ];
for (const [, peer] of peers) await checkEqual(catalog, peer);
if (peers.length > 0) console.error('every peer says what we say');

const codes = new Uint8Array(carriers.length * policyTypes.length);
const statuses = (property: Property) => {
  catalog.statusCodes(property, codes);
};
const complete = time(properties, statuses);
row('statuses of 50 carriers, complete', complete, 'µs');
row('statuses of 50 carriers, 10 % missing', time(missing10, statuses), 'µs');
row('statuses of 50 carriers, 30 % missing', time(missing30, statuses), 'µs');
row('statuses of 350 programs (no policy type)', time(allTypes, statuses), 'µs');
const sample = properties.slice(0, 1000);
const declines = time(sample, (property) => {
  catalog.declines(property);
});
row('reasons of every decline, complete', declines, 'µs');
const byMissing: HomesByMissing = [
  ['complete', properties],
  ['10 % missing', missing10],
  ['50 % missing', withMissing(homes, 0.5, SEED + 4).map(toProperty)],
];
rows.push(...measureDecisions(catalog, byMissing));
row('rule sets read and checked', checked - started, 'ms');
row('compiled, all policy types', compiled - checked, 'ms');
row('first decisions, all policy types', decided - compiled, 'ms');
row('catalog in memory', megabytes, 'MB');

rows.push(...(await measureBook(catalog, ruleSets, missing10)));
rows.push(...measureGuides(carriers, homes, SEED));
for (const count of [200, 1000]) rows.push(...measureManyCarriers(SEED, count, byMissing));

rows.push(...measureLargeFile());

for (const [key, peer] of peers) {
  const micros = await timePeer(peer, false);
  const withReasons = await timePeer(peer, true);
  row(peer.name, micros, 'µs');
  row(`${peer.name}, with reasons`, withReasons, 'µs');
  ratios[key] = micros / complete;
  ratios[`${key}-reasons`] = withReasons / declines;
}
report({ benchmark: 'engine', rows, ratios }, args);
