import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that mostly wait: for a lease, a round of repairs, or a repeated delivery. */
const waitsLong = [
  'packages/core/quotes/src/service/chaos.test.ts',
  'packages/core/quotes/src/orchestrator/faults.test.ts',
  'packages/core/quotes/src/orchestrator/pending.test.ts',
  'packages/core/quotes/src/orchestrator/paused-worker.test.ts',
  'packages/core/quotes/src/webhooks/webhooks.test.ts',
  'test/quoting-processes.test.ts',
  'test/quoting-stop.test.ts',
  'test/stop-under-load.test.ts',
];

/**
 * Spreads the waiting files evenly among the files of their project, starting with the first, so that others compute
 * while one waits. Run together they would leave the machine idle; run last they would outlast all others. The others
 * keep Vitest's order: by their last duration on this machine, else, in a fresh checkout, by size.
 */
export default class SpreadWaiting extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => {
      const waits = ({ moduleId }: TestSpecification) => waitsLong.some((path) => moduleId.endsWith(`/${path}`));
      const waiting = own.filter(waits);
      const others = own.filter((file) => !waits(file));
      const between = Math.ceil(others.length / Math.max(1, waiting.length));
      const spread = waiting.flatMap((file, index) => [file, ...others.slice(index * between, (index + 1) * between)]);
      return waiting.length === 0 ? others : spread;
    });
  }
}
