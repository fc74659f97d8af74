import { join } from 'node:path';
import { expect, it } from 'vitest';
import { examplesIn, runExamples, testReadme } from '../../../test/support/readme-examples.ts';

const folder = join(import.meta.dirname, '..');

testReadme(folder, 5);

it('the guide to webhooks checks signatures as it says', async () => {
  const [example, ...others] = examplesIn(join(folder, '../../docs/webhooks.md'));
  expect(others).toEqual([]);
  const { printed, errors } = await runExamples(folder, [example!.code]);
  expect({ printed, errors }).toEqual({ printed: [example!.promised], errors: '' });
});
