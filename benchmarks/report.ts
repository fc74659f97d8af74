import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';

export interface Row {
  readonly name: string;
  readonly median: number;
  readonly unit: string;
}

export interface Report {
  readonly benchmark: string;
  readonly rows: readonly Row[];
  /** Peer ÷ Leeward: above 1, Leeward is faster. `meaning` explains other ratios. */
  readonly ratios: Readonly<Record<string, number>>;
  readonly meaning?: string;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function machine(): string {
  const [cpu] = cpus();
  return `${cpu?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`;
}

/** Prints the table, and writes JSON for `--json FILE`. */
export function report(
  { benchmark, rows, ratios, meaning = 'above 1: we are ahead' }: Report,
  args: readonly string[],
): void {
  const width = Math.max(...rows.map((row) => row.name.length), ...Object.keys(ratios).map((name) => name.length));
  console.log(`\n${benchmark}: ${machine()}\n`);
  for (const { name, median: value, unit } of rows)
    console.log(`${name.padEnd(width)}  ${print(value).padStart(12)} ${unit}`);
  console.log(`\nratios (${meaning})`);
  for (const [name, ratio] of Object.entries(ratios))
    console.log(`${name.padEnd(width)}  ${print(ratio).padStart(12)}`);
  const at = args.indexOf('--json');
  const file = at < 0 ? undefined : args[at + 1];
  if (file === undefined) return;
  const run = {
    benchmark,
    machine: machine(),
    taken: new Date().toISOString(),
    load: loadavg()[0],
    meaning,
    rows,
    ratios,
  };
  writeFileSync(file, `${JSON.stringify(run, null, 2)}\n`);
}

export function print(value: number): string {
  if (value >= 1000) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}
