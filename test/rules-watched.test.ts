import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimsRuleSet } from './support/claims-rule-set.ts';
import { runLeewardHere } from './support/leeward-here.ts';
import { startQuotingHere } from './support/quoting-service.ts';

const operatorToken = 'an operator of this very test, and of no other';

const ruleSet = (version: string, limit: number, code?: string) =>
  claimsRuleSet({ key: 'magnolia_test', version, limit, code });
const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 3 };

describe('Files of rules that are watched', () => {
  let folder: string;
  let environment: Record<string, string>;
  const write = (file: unknown) => {
    mkdirSync(join(folder, 'carriers/magnolia'), { recursive: true });
    writeFileSync(
      join(folder, 'carriers/magnolia/rule-set.json'),
      typeof file === 'string' ? file : JSON.stringify(file),
    );
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'leeward-watched-'));
    environment = {
      LEEWARD_DATA_DIR: join(folder, 'data'),
      LEEWARD_OPERATOR_TOKEN: operatorToken,
      LEEWARD_RULES_FOUR_EYES: 'false',
      LEEWARD_RULES_EXPLAIN: 'none',
      LEEWARD_LOG_LEVEL: 'info',
    };
    write(ruleSet('1', 2));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const post = async (url: string, path: string, body: unknown, token: unknown = operatorToken) => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const serve = async (...words: string[]) => {
    const started = await startQuotingHere(['serve', '--carriers', join(folder, 'carriers'), ...words], environment);
    const url = /Leeward is up at (\S+)/.exec(started.output())![1]!;
    const { organization_id } = await post(url, '/v1/admin/organizations/create', { name: 'Suncoast Agency' });
    const { token } = await post(url, '/v1/admin/tokens/create', { organization_id });
    const answer = async () => {
      const { carriers, declined } = await post(url, '/v1/underwrite/home', home, token);
      const [verdict] = [...(carriers as unknown[]), ...(declined as unknown[])] as {
        status: string;
        rule_set: { version: string };
      }[];
      return `${verdict?.status} ${verdict?.rule_set.version}`;
    };
    const stop = async () => {
      return (await started.stop()).output;
    };
    return { url, answer, stop, output: started.output };
  };

  it('are served as they change; an invalid one changes nothing, and is reported', { timeout: 120_000 }, async () => {
    const { answer, stop, output } = await serve('--watch');
    expect(await answer()).toBe('ineligible 1');
    write(ruleSet('2', 5));
    await expect.poll(answer, { timeout: 30_000, interval: 150 }).toBe('eligible 2');
    write('{ "format": 1,');
    await expect.poll(output, { timeout: 30_000 }).toContain('rules_not_served');
    expect(await answer()).toBe('eligible 2');
    write(ruleSet('3', 2));
    await expect.poll(answer, { timeout: 30_000, interval: 150 }).toBe('ineligible 3');
    await stop();
  });

  it('seed an empty registry with --seed, which then continues alone', { timeout: 120_000 }, async () => {
    const first = await serve('--seed', '--watch');
    expect(first.output()).toContain('The registry was empty; 1 versions of the folder are in force in it.');
    expect(await first.answer()).toBe('ineligible 1');
    const { rule_set_id, revision } = await post(first.url, '/v1/admin/rule-sets/propose', {
      rule_set: ruleSet('2', 5),
    });
    await post(first.url, '/v1/admin/rule-sets/approve', { rule_set_id, revision });
    await expect.poll(first.answer, { timeout: 30_000, interval: 150 }).toBe('eligible 2');
    await first.stop();
    // The folder is unchanged, and is no longer read.
    const second = await serve('--seed');
    expect(second.output()).not.toContain('The registry was empty');
    expect(await second.answer()).toBe('eligible 2');
    await second.stop();
  });

  it('are a worker’s as well, which follows the registry that a service publishes in', {
    timeout: 120_000,
  }, async () => {
    const { url, stop } = await serve();
    const worker = await startQuotingHere(['worker', '--carriers', join(folder, 'carriers')], environment);
    try {
      expect(worker.output()).not.toContain('rules_served');
      for (const [number, version] of ['2', '3'].entries()) {
        const { rule_set_id, revision } = await post(url, '/v1/admin/rule-sets/propose', {
          rule_set: ruleSet(version, 5),
        });
        await post(url, '/v1/admin/rule-sets/approve', { rule_set_id, revision });
        const served = new RegExp(`"publication":${number + 1},"carriers":1.*rules_served`);
        await expect.poll(worker.output, { timeout: 30_000 }).toMatch(served);
      }
    } finally {
      await worker.stop();
      await stop();
    }
  });

  it('are checked and analysed again whenever they change', { timeout: 120_000 }, async () => {
    for (const [command, isFine, found] of [
      ['check', '1 rule set', 'unknown_code'],
      ['analyse', '1 gap_rules', 'not analysed'],
    ] as const) {
      write(ruleSet('1', 2));
      const words = ['rules', command, join(folder, 'carriers'), '--watch'];
      const watching = runLeewardHere(words);
      const output = () => watching.output() + watching.errors();
      try {
        await expect.poll(output, { timeout: 30_000 }).toContain('Watching');
        expect(output()).toContain(isFine);
        expect(output()).not.toContain(found);
        write(ruleSet('1', 2, 'klaims'));
        await expect.poll(output, { timeout: 30_000 }).toContain(found);
      } finally {
        expect((await watching.stop()).code).toBe(0);
      }
    }
  });
});
