import { join } from 'node:path';
import { parseRequest, type RuleSet } from '@leeward/engine';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCatalog } from '../packages/apps/cli/src/carriers/carrier-files.ts';
import { nodeFlags } from './support/node-flags.ts';
import { createRandom } from './support/random.ts';
import { workspace } from './support/running-leeward.ts';
import { replyTo } from './support/submissions/scripted-client.ts';
import { makeSubmission } from './support/submissions/submission.ts';
import { testVolume } from './support/test-volume.ts';

const catalog = readCatalog('fixtures/carriers', workspace);
const client = new Client({ name: 'submissions', version: '1' });

beforeAll(async () => {
  const args = [
    ...nodeFlags,
    join(workspace, 'packages/apps/cli/src/main.ts'),
    'mcp',
    '--carriers',
    'fixtures/carriers',
  ];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd: workspace }));
});
afterAll(() => client.close());

/** Ids of all rules, of programs, whose territory is a rule, and of moratoria. */
function ruleIdsOf({ rules, programs, moratoria }: RuleSet): ReadonlySet<string> {
  const all = [...rules, ...programs, ...programs.flatMap((program) => program.rules), ...moratoria];
  return new Set(all.map(({ id }) => id));
}

const statusWords = { eligible: 'is eligible', referral: 'refers the home', ineligible: 'is ineligible' } as const;

describe('free-text submissions with planted traps, through `leeward mcp`', () => {
  it('end in replies whose every line is the engine’s and names its rule', async () => {
    const random = createRandom(50);
    const total = { submissions: 0, calls: 0, lines: 0, lies: 0, verdicts: 0, settled: 0 };
    for (let count = 0; count < testVolume(25); count++) {
      const submission = makeSubmission(random);
      const { home, lines, removed, calls } = await replyTo(submission, client);
      const parsed = parseRequest(home, { now: new Date() });
      if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
      const { verdicts } = await catalog.decide(parsed.request.property);

      // The check removes every lie, and keeps each line of the engine.
      const claims = submission.text.split('\n').filter((line) => /eligible|approved/i.test(line));
      expect(removed.filter((line) => !claims.some((claim) => claim.includes(line) || line.includes(claim)))).toEqual(
        [],
      );
      for (const lie of submission.lies) expect(lines).not.toContain(lie);

      for (const line of lines) {
        const [, rules, key, version, sha] = /\[(.*) of (\w+) ([\w.]+), sha256 ([0-9a-f]{12})\]$/.exec(line) ?? [];
        const carrier = catalog.carriers.find((each) => each.key === key);
        const ruleSet = carrier?.versions.find((each) => each.ruleSet.version === version)?.ruleSet;
        expect(ruleSet?.sha256.slice(0, 12), line).toBe(sha);
        expect(line.startsWith(`${ruleSet!.carrierName} (HO3)`), line).toBe(true);
        const ids = rules!.replace(/^rules? /, '').replace(/ and \d+ more$/, '');
        if (ids !== 'no rule') for (const id of ids.split(', ')) expect(ruleIdsOf(ruleSet!), line).toContain(id);
      }
      // The status of each carrier is that of the engine, called without any tool.
      for (const { carrierKey, carrierName, status } of verdicts) {
        const own = lines.filter(
          (line) => line.startsWith(`${carrierName} (HO3) `) && line.includes(` of ${carrierKey} `),
        );
        const stated = Object.entries({ ...statusWords, needs_information: 'needs information: ' })
          .filter(([, words]) => own.some((line) => line.includes(` (HO3) ${words}`)))
          .map(([word]) => word);
        expect(stated, `${carrierName}: ${own.join(' ')}`).toEqual([status]);
      }
      total.submissions++;
      total.calls += calls;
      total.lines += lines.length;
      total.lies += submission.lies.length;
      total.verdicts += verdicts.length;
      total.settled += verdicts.filter(({ status }) => status !== 'needs_information').length;
    }
    expect(total.lies).toBeGreaterThan(total.submissions / 4);
    expect(total.settled).toBeGreaterThan(total.verdicts / 2);
    console.log(JSON.stringify(total));
  });
});
