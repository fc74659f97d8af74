import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What mostly waits, for a lease or a telling that comes again: begun last, all others would be over long before. */
const waitsLong = [
  'packages/quotes/src/chaos.test.ts',
  'test/book-chaos.test.ts',
  'test/quoting-processes.test.ts',
  'test/quoting-stop.test.ts',
];

/**
 * Those begin first among the files of their project. Vitest orders by how long each took when it last ran here, which a
 * fresh checkout does not know.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = Map.groupBy(sorted, ({ project }) => project);
    return [...projects.values()].flatMap((own) => {
      const waits = ({ moduleId }: TestSpecification) => waitsLong.some((path) => moduleId.endsWith(`/${path}`));
      return [...own.filter(waits), ...own.filter((file) => !waits(file))];
    });
  }
}
