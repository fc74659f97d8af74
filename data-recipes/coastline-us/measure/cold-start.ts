/**
 * Time from process start to the first answer, with the built package (`npm run build` first).
 *
 *     node data-recipes/coastline-us/measure/cold-start.ts [runs]
 */
import { execFileSync } from 'node:child_process';

const runs = Number(process.argv[2] ?? 10);
const program = `
  import { loadCoastlineUs } from '@leeward/coastline-us';
  loadCoastlineUs(SOURCES).nearest({ latitude: 27.9506, longitude: -82.4572 });
  const { user, system } = process.cpuUsage();
  console.log(performance.now(), (user + system) / 1000, process.memoryUsage.rss() / 1e6);`;
for (const [name, options] of [
  ['both', '{}'],
  ['GSHHG alone', "{ sources: ['gshhg'] }"],
] as const) {
  const rows = Array.from({ length: runs }, () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program.replace('SOURCES', options)], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    })
      .trim()
      .split(' ')
      .map(Number),
  );
  const median = (column: number): string =>
    rows
      .map((row) => row[column]!)
      .sort((a, b) => a - b)
      [Math.floor(runs / 2)]!.toFixed(0);
  const least = Math.min(...rows.map((row) => row[0]!)).toFixed(0);
  console.log(
    `${name}: ${median(0)} ms (median of ${runs}; least ${least}), ${median(1)} ms of processor time, ${median(2)} MB`,
  );
}
