import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WrittenPage } from './api-pages.ts';
import { ratioChart } from './bar-chart.ts';

interface Result {
  readonly benchmark: string;
  readonly machine: string;
  /** ISO 8601. */
  readonly taken: string;
  /** Load average over one minute at the end: programs that waited for a processor. */
  readonly load: number;
  readonly meaning: string;
  readonly rows: readonly { readonly name: string; readonly median: number; readonly unit: string }[];
  readonly ratios: Readonly<Record<string, number>>;
}

/** Display names of the peers. */
const peers: Readonly<Record<string, string>> = {
  c: 'the same tree in C, its search alone',
  geokdbush: 'geokdbush: nearest vertex, on a sphere',
  geoflatbush: 'geoflatbush: nearest vertex, on a sphere',
  s2js: 's2js: nearest segment, on a sphere',
  turf: 'Turf: nearest segment, on a sphere',
  'json-rules-engine': 'json-rules-engine, an Engine a carrier',
  'json-rules-engine-partitioned': 'json-rules-engine, one a policy type',
  zen: 'ZEN, a decision a carrier and type',
  'json-logic-engine': 'json-logic-engine, compiled',
  cel: 'CEL, parsed',
  closures: 'closures by hand, by policy type',
};

function inWords(label: string): string {
  const peer = label.replace(/-reasons$/, '');
  return `${peers[peer] ?? peer}${peer === label ? '' : ', with reasons'}`;
}

/** Runs that were kept, drawn. */
export function benchmarkPage(root: string): WrittenPage {
  const folder = join(root, 'benchmarks/results');
  const results = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      name: name.replace('.json', ''),
      result: JSON.parse(readFileSync(join(folder, name), 'utf8')) as Result,
    }));
  const sections = results.map(({ name, result }) => section(name, result));
  const markdown = `# Benchmarks

Each program measures us beside peers in the same process or on the same machine, in turn, with the same seeded work. A bar is how many times the
peer's figure is of ours. Figures hang on the machine, ratios less so: run them on yours. What has no peer stands among the figures.

${sections.join('\n\n')}
`;
  return { at: 'project/benchmarks', title: 'Benchmarks', markdown };
}

function section(name: string, { benchmark, machine, taken, load, meaning, rows, ratios }: Result): string {
  const bars = Object.entries(ratios).map(([label, value]) => ({ name: inWords(label), value }));
  const quiet =
    load < 2.5
      ? 'nothing else ran'
      : `other programs ran beside it (load ${load.toFixed(0)}): take ratios, not figures`;
  const table = rows.map(
    ({ name: row, median, unit }) => `| ${row.replaceAll('|', '\\|')} | ${print(median)} | ${unit} |`,
  );
  const chart =
    bars.length === 0
      ? ''
      : `<figure>${ratioChart(benchmark, bars)}<figcaption>${meaning}; each tick is ten times the one before it.</figcaption></figure>\n\n`;
  return `## ${name}

\`npm run bench -- ${name}\`, ${taken.slice(0, 10)}, ${machine}; ${quiet}.

${chart}<details><summary>Figures</summary>

| | median | |
|---|---:|---|
${table.join('\n')}

</details>`;
}

function print(value: number): string {
  return value >= 1000 ? Math.round(value).toLocaleString('en-US') : value.toPrecision(3);
}
