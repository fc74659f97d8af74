import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { demoPath, readDemo, writeDemo } from './demo-file.ts';

describe('demo.json', () => {
  it('is stored and read back, readable by its owner only', () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'deep', 'data');
    expect(readDemo(data)).toBeUndefined();
    const demo = {
      url: 'http://127.0.0.1:3000',
      api_key: `lw_demo_${'0'.repeat(26)}_${'a'.repeat(43)}`,
      organization_id: 'org_1',
    };
    writeDemo(data, demo);
    writeDemo(data, demo);
    expect(readDemo(data)).toEqual(demo);
    expect(statSync(demoPath(data)).mode & 0o777).toBe(0o600);
    expect(readdirSync(data)).toEqual(['demo.json']);
  });

  it.each(['', '[]', '{"api_key": "mine"}', 'null'])('is refused where it is %j', (text) => {
    using folder = temporaryFolder();
    writeFileSync(demoPath(folder.path), text);
    expect(() => readDemo(folder.path)).toThrow('move it away');
  });
});
