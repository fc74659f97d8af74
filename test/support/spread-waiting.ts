import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What mostly waits: for a lease, for a round of repairs, or for a telling that comes again. */
const waitsLong = [
  'packages/core/quotes/src/service/chaos.test.ts',
  'packages/core/quotes/src/orchestrator/faults.test.ts',
  'packages/core/quotes/src/orchestrator/pending.test.ts',
  'packages/core/quotes/src/orchestrator/paused-worker.test.ts',
  'packages/core/quotes/src/webhooks/webhooks.test.ts',
  'test/quoting-processes.test.ts',
  'test/quoting-stop.test.ts',
  'test/book-chaos.test.ts',
  'test/stop-under-load.test.ts',
];

/**
 * Those come among the files of their project at even distances, from the first on: beside one that waits another computes. Side by
 * side they would leave the machine idle, and begun last all others would be over long before. The others keep Vitest's order: by how
 * long each took when it last ran here, which a fresh checkout does not know, else by size.
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
