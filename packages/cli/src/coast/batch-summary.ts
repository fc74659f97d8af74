import type { Told } from './batch-formats.ts';

/** What became of a file of homes. */
export interface BatchSummary {
  readonly homes: number;
  readonly answered: number;
  readonly problems: Readonly<Record<string, number>>;
  readonly precisions: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
}

export interface BatchTally {
  add(told: Told): void;
  summary(): BatchSummary;
}

export function createBatchTally(): BatchTally {
  let homes = 0;
  const problems = new Map<string, number>();
  const precisions = new Map<string, number>();
  const warnings = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    add(told) {
      homes += 1;
      if (told.problem !== undefined) count(problems, told.problem);
      if (told.precision !== undefined) count(precisions, told.precision);
      for (const code of new Set(told.warnings)) count(warnings, code);
    },
    summary() {
      const faulty = [...problems.values()].reduce((sum, each) => sum + each, 0);
      return {
        homes,
        answered: homes - faulty,
        problems: byCount(problems),
        precisions: byCount(precisions),
        warnings: byCount(warnings),
      };
    },
  };
}

function byCount(counts: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

/** The summary for people. */
export function tellSummary({ homes, answered, problems, precisions, warnings }: BatchSummary, output: string): string {
  const number = (value: number) => value.toLocaleString('en-US');
  const list = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .map(([name, value]) => `${name} ${number(value)}`)
      .join(', ');
  const faulty = homes - answered;
  const lines = [`${number(homes)} homes, ${number(answered)} answered, ${number(faulty)} with a problem: ${output}`];
  if (answered > 0) lines.push(`  known by: ${list(precisions)}`);
  if (faulty > 0) lines.push(`  problems: ${list(problems)}`);
  if (Object.keys(warnings).length > 0) lines.push(`  warnings: ${list(warnings)}`);
  return `${lines.join('\n')}\n`;
}
