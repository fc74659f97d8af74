import { type CodeKind, wordOf } from '@leeward/terms';
import { formatCount } from '../format-count.ts';
import type { HomeOutcome } from './batch-formats.ts';

export interface BatchSummary {
  readonly homes: number;
  readonly answered: number;
  readonly problems: Readonly<Record<string, number>>;
  readonly precisions: Readonly<Record<string, number>>;
  readonly warnings: Readonly<Record<string, number>>;
}

export interface BatchTally {
  add(outcome: HomeOutcome): void;
  summary(): BatchSummary;
}

export function createBatchTally(): BatchTally {
  let homes = 0;
  const problems = new Map<string, number>();
  const precisions = new Map<string, number>();
  const warnings = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  return {
    add(outcome) {
      homes += 1;
      if (outcome.problem !== undefined) count(problems, outcome.problem);
      if (outcome.precision !== undefined) count(precisions, outcome.precision);
      for (const code of new Set(outcome.warnings)) count(warnings, code);
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

export function formatSummary(
  { homes, answered, problems, precisions, warnings }: BatchSummary,
  output: string,
): string {
  const list = (counts: Readonly<Record<string, number>>, kind: CodeKind) =>
    Object.entries(counts)
      .map(([name, value]) => `${wordOf(kind, name)} ${formatCount(value)}`)
      .join(', ');
  const faulty = homes - answered;
  const lines = [
    `${formatCount(homes)} homes, ${formatCount(answered)} answered, ${formatCount(faulty)} with a problem: ${output}`,
  ];
  if (answered > 0) lines.push(`  known by: ${list(precisions, 'precision')}`);
  if (faulty > 0) lines.push(`  problems: ${list(problems, 'reason')}`);
  if (Object.keys(warnings).length > 0) lines.push(`  warnings: ${list(warnings, 'reason')}`);
  return `${lines.join('\n')}\n`;
}
