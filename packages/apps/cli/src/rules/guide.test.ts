import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { followGuide } from '../testing/follow-guide.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const guide = readFileSync(new URL('../../../../../docs/authoring-guide.md', import.meta.url), 'utf8');

it('prints the output that the authoring guide shows, in an empty folder', async () => {
  using folder = temporaryFolder();
  const steps = await followGuide(guide, folder.path);
  expect(steps.length).toBeGreaterThanOrEqual(10);
  for (const { command, written, printed, endsWith, code } of steps) {
    expect({ command, code }).toEqual({ command, code: endsWith });
    // A line of dots stands for what the guide leaves out.
    const [first = '', last] = written!.trimEnd().split('\n…\n');
    if (last === undefined) expect({ command, printed: printed.trimEnd() }).toEqual({ command, printed: first });
    else {
      expect(printed.startsWith(`${first}\n`)).toBe(true);
      expect(printed.trimEnd().endsWith(`\n${last}`)).toBe(true);
    }
  }
});
