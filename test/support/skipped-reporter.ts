import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Says at the end which tests were skipped and why, so that a run without services does not pass for a whole one. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const places = new Map<string, number>();
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const key = `${reasonOf(test)}  (${module.relativeModuleId})`;
        places.set(key, (places.get(key) ?? 0) + 1);
      }
    }
    if (places.size === 0) return;
    const all = [...places.values()].reduce((sum, count) => sum + count, 0);
    console.info(`\nSkipped: ${all}`);
    for (const [key, count] of [...places].sort()) console.info(`  ${count}  ${key}`);
  }
}

/** Returns the note of the skip, else the text in parentheses of its title or a title above it. */
function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  const said = /\(skipped: (.*?)\)/.exec(test.fullName)?.[1];
  return note ?? said ?? `no reason given: ${test.fullName}`;
}
