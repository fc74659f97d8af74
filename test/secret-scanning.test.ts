import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createAccounts, createMemoryStore } from '@leeward/accounts';
import { expect, it } from 'vitest';

const system = { system: 'command line' };
const guide = readFileSync('SECURITY.md', 'utf8');
/** The plain pattern, and those of gitleaks and TruffleHog. */
const patterns = [
  ...[...guide.matchAll(/^(lw_\[.+)$/gm)].map(([, pattern]) => pattern!),
  ...[...guide.matchAll(/regex = '''(.+)'''/g)].map(([, pattern]) => pattern!),
  ...[...guide.matchAll(/token: '(.+)'/g)].map(([, pattern]) => pattern!),
];

it('documents one pattern for each scanner', () => {
  expect(patterns).toHaveLength(3);
});

it.each(patterns)('finds every minted token, alone and in a line: %s', async (pattern) => {
  for (const environment of ['live', 'demo', 'x', 'abcdefgh12345678']) {
    const { administration } = createAccounts({ store: createMemoryStore(), environment });
    const { token } = await administration.tokens.create.run(system, { scopes: ['operator'] });
    const { organization_id } = await administration.organizations.create.run(system, { name: 'Suncoast Agency' });
    const key = await administration.tokens.create.run(system, { organization_id });
    for (const text of [token, key.token]) {
      expect(new RegExp(pattern).exec(`LEEWARD_TOKEN="${text}";`)?.[0]).toBe(text);
      expect(new RegExp(pattern).test(text.slice(0, -1))).toBe(false);
    }
  }
});

it('finds only visibly invented tokens in the repository', () => {
  const files = execFileSync('git', ['ls-files', '-z', '*.md', '*.json', '*.yaml', '*.yml', '*.ts', '*.html'], {
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '');
  expect(files.length).toBeGreaterThan(1_000);
  const pattern = new RegExp(patterns[0]!, 'g');
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(pattern)]
      .map(([text]) => text)
      // Examples have a secret of few different letters.
      .filter((text) => new Set(text.split('_').at(-1)).size > 3)
      .map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
