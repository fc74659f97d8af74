import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Outcome, outcomes } from './outcome.ts';

/** One case of a corpus. */
export interface Case {
  /** Unique and stable, as in the file of allowed differences: a path of the corpus, or a path and a number. */
  readonly id: string;
  /** Returns, or resolves to, the difference in words, or undefined if there is none. To throw is a difference too. */
  run(): string | undefined | Promise<string | undefined>;
}

/** Cases that may differ, and the reason. `allowed/<name>.json` is a list of these. */
interface Allowed {
  readonly reason: string;
  readonly cases: readonly string[];
}

/**
 * Runs all cases, one after the other. Fails if a case differs that is not allowed to, and if one passes that is: a difference that is
 * gone must be taken off the list. Writes the outcome for the table.
 *
 * @param name Name of the corpus, or of a part: `json-test-suite-bodies`.
 */
export async function holdTo(name: string, cases: readonly Case[], { isWhole }: { isWhole: boolean }): Promise<void> {
  const file = join(import.meta.dirname, 'allowed', `${name}.json`);
  const allowed: Allowed[] = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : [];
  const reasonOf = new Map(allowed.flatMap(({ reason, cases: ids }) => ids.map((id) => [id, reason])));
  const ids = new Set(cases.map(({ id }) => id));
  expect(ids.size, 'ids are unique').toBe(cases.length);
  const unknown = isWhole ? [...reasonOf.keys()].filter((id) => !ids.has(id)) : [];

  const differences: string[] = [];
  const vanished: string[] = [];
  const counts = new Map<string, number>();
  for (const { id, run } of cases) {
    let difference: string | undefined;
    try {
      difference = await run();
    } catch (error) {
      difference = `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    }
    const reason = reasonOf.get(id);
    if (difference === undefined) {
      if (reason !== undefined) vanished.push(id);
    } else if (reason === undefined) differences.push(`${id}: ${difference}`);
    else counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  expect({ differences, vanished, unknown }).toEqual({ differences: [], vanished: [], unknown: [] });
  const listed = [...counts].map(([reason, count]) => ({ reason, cases: count }));
  const passed = cases.length - listed.reduce((sum, each) => sum + each.cases, 0);
  mkdirSync(outcomes, { recursive: true });
  const outcome: Outcome = { name, isWhole, cases: cases.length, passed, allowed: listed };
  writeFileSync(join(outcomes, `${name}.json`), `${JSON.stringify(outcome, null, 2)}\n`);
}
