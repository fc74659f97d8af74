import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { demoPath, readDemo, writeDemo } from './demo-file.ts';
import { createDemoToken } from './demo-token.ts';

describe('demo.json', () => {
  it('comes back as it was kept, readable by its owner alone', () => {
    using folder = temporaryFolder();
    const data = join(folder.path, 'deep', 'data');
    expect(readDemo(data)).toBeUndefined();
    const demo = { url: 'http://127.0.0.1:3000', api_key: createDemoToken(), organization_id: 'org_1' };
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

describe('createDemoToken', () => {
  it('makes another at every call, in the form of the service’s own', () => {
    const made = new Set(Array.from({ length: 200 }, createDemoToken));
    expect(made.size).toBe(200);
    for (const token of made) expect(token).toMatch(/^lw_demo_[0-9a-z]{26}_[0-9A-Za-z]{43}$/);
  });
});
