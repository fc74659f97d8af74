/**
 * `npm run bench -- quotes [--quick] [--json FILE]`: jobs through the orchestrator next to the bare backend in the same
 * run, the time of creates and polls, and the memory after a hundred thousand quotes. Uses PostgreSQL and Redis of this
 * machine, or LEEWARD_TEST_POSTGRES_URL and LEEWARD_TEST_REDIS_URL.
 */
import { median, type Row, report } from '../report.ts';
import { measureBacklog } from './backlog.ts';
import { barePerSecond } from './bare.ts';
import { measureMemory } from './memory.ts';
import { type BackendName, type Load, oursPerSecond } from './ours.ts';
import { measureServing } from './serving.ts';

const args = process.argv.slice(2);
const quick = args.includes('--quick');
/** A round at 50 ms is short, so there are several. */
const roundsAt = (latencyMs: number) => (latencyMs === 50 ? 5 : quick ? 1 : 3);
const backends: readonly BackendName[] = ['p-queue', 'bullmq', 'pg-boss'];
const rows: Row[] = [];
const ratios: Record<string, number> = {};

const memory = await measureMemory(quick ? 10_000 : 100_000);
rows.push(
  {
    name: `memory held after ${memory.quotes.toLocaleString('en-US')} quotes more than after 1,000`,
    median: memory.grownMegabytes,
    unit: 'MB',
  },
  { name: 'resident memory then', median: memory.residentMegabytes, unit: 'MB' },
  { name: 'quotes made and finished meanwhile, SQLite', median: memory.perSecond, unit: '/s' },
);

for (const engine of ['sqlite', 'postgres'] as const) {
  const serving = await measureServing(engine, quick ? 50 : 300);
  rows.push(
    { name: `create of 60 rates, ${engine}`, median: serving.createMs, unit: 'ms' },
    { name: `creates of 60 rates, 16 at once, ${engine}`, median: serving.createsPerSecond, unit: '/s' },
    { name: `status polls of 60 rates, 16 at once, ${engine}`, median: serving.pollsPerSecond, unit: '/s' },
  );
}

for (const engine of ['sqlite', 'postgres'] as const) {
  const backlog = await measureBacklog(engine, quick ? 5_000 : 100_000);
  const title = `a backlog of ${backlog.rates.toLocaleString('en-US')} rates, ${engine}`;
  rows.push(
    { name: `${title}: until it has ended`, median: backlog.seconds, unit: 's' },
    { name: `${title}: rows of rates written a rate, the first included`, median: backlog.writesPerRate, unit: '' },
    { name: `${title}: resident memory afterwards`, median: backlog.residentMegabytes, unit: 'MB' },
    { name: `${title}: another team's three rates, made in the midst of it`, median: backlog.otherMs, unit: 'ms' },
  );
}

for (const latencyMs of [500, 50]) {
  const load: Load = { jobs: 3000, latencyMs, concurrency: 200 };
  for (const name of backends) {
    // Alternate, so that other load affects both.
    const measured: { ours: number; bare: number }[] = [];
    for (let round = 0; round < roundsAt(latencyMs); round++) {
      const bare = await barePerSecond(name, load);
      const ours = await oursPerSecond(name, load);
      measured.push({ ours, bare });
      console.error(`${latencyMs} ms, ${name}: ours ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s`);
    }
    rows.push(
      {
        name: `jobs of ${latencyMs} ms, ${name}, through the orchestrator`,
        median: median(measured.map((each) => each.ours)),
        unit: '/s',
      },
      { name: `jobs of ${latencyMs} ms, ${name}, bare`, median: median(measured.map((each) => each.bare)), unit: '/s' },
    );
    const ratio = median(measured.map((each) => each.ours / each.bare));
    // At 50 ms the commits of the store are the limit, so that ratio is printed but not recorded.
    if (latencyMs === 500) ratios[name] = ratio;
    else rows.push({ name: `jobs of ${latencyMs} ms, ${name}, ours ÷ bare`, median: ratio, unit: '' });
  }
}
report({ benchmark: 'quotes', rows, ratios, meaning: 'ours ÷ bare backend: 1 is as fast' }, args);
process.exit(0);
