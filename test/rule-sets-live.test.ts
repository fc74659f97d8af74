import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { testEngines } from '@leeward/database/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { claimsRuleSet } from './support/claims-rule-set.ts';
import { killLeftovers, type LeewardProcess } from './support/leeward-process.ts';
import { post, type Service, startService } from './support/live-service.ts';
import { startQuoting, startQuotingHere } from './support/quoting-service.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

afterAll(killLeftovers);

const operatorToken = 'an operator of this very test, and of no other';
/** No process may evaluate rules that were replaced longer ago than this. */
const MAX_ANSWER_MS = 2_000;
/** A version must be used for an evaluation within this time. */
const MAX_UNSEEN_MS = 120_000;
/** A machine that is busy with something else can be given fewer. */
const requestsASecond = Number(process.env['LEEWARD_TEST_RATE'] ?? Math.min(200, testVolume(10)));

const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 1 };
const ruleSet = (version: string) => claimsRuleSet({ key: 'magnolia_test', version });

interface Answered {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly status: number;
  /** Only of a problem. */
  readonly detail: unknown;
  /** undefined: the carrier was not there. */
  readonly version: string | undefined;
}

/** A version came into force at some instant between the request and its answer. */
interface Step {
  readonly version: string | undefined;
  readonly askedAt: number;
  readonly doneAt: number;
}

const engines = await testEngines();
/** Carriers in addition to the published one: all in one process, or a few in each of several, some of them disturbed. */
const cases = engines.map((engine, index) => ({
  engine,
  processes: index === 0 ? 1 : 3,
  few: index === 0 ? undefined : ['bayou_mutual', 'sawpalm_home'],
  publishes: Math.min(50, testVolume(index === 0 ? 4 : 8)),
}));

describe.each(cases)(
  'Rules that go into force while they are served, on $engine.title',
  ({ engine, processes, few, publishes }) => {
    const skipped = engine.skip === undefined ? '' : ` (skipped: ${engine.skip})`;
    it.skipIf(engine.skip !== undefined)(
      `fail no request, and evaluate none after they were replaced, in ${processes} processes${skipped}`,
      async () => {
        await using place = await engine.createPlace();
        const folder = mkdtempSync(join(tmpdir(), 'leeward-rules-live-'));
        const carriers = few === undefined ? 'fixtures/carriers' : join(folder, 'carriers');
        for (const key of few ?? [])
          cpSync(join(workspace, 'fixtures/carriers', key), join(carriers, key), { recursive: true });
        const environment = {
          LEEWARD_DATA_DIR: folder,
          LEEWARD_DATABASE_URL: place.url,
          LEEWARD_OPERATOR_TOKEN: operatorToken,
          LEEWARD_RULES_FOUR_EYES: 'false',
          LEEWARD_RULES_EXPLAIN: 'none',
          LEEWARD_RATE_LIMIT: '0',
          LEEWARD_ITEM_LIMIT: '0',
          LEEWARD_LOG_LEVEL: 'silent',
          // A busy machine sheds requests it cannot answer in time; with a test volume that would count as a failure.
          ...(process.env['LEEWARD_TEST_VOLUME'] === undefined
            ? { LEEWARD_MAX_DELAY_MS: '0', LEEWARD_REQUEST_TIMEOUT_MS: '0' }
            : {}),
        };
        const services: Service[] = [];
        const others: Service<LeewardProcess>[] = [];
        let isOver = false;
        try {
          const first = await startService(startQuotingHere, environment, carriers);
          services.push(first);
          const apart = () => startService(startQuoting, environment, carriers);
          others.push(...(await Promise.all(Array.from({ length: processes - 1 }, apart))));
          services.push(...others);
          const admin = async (path: string, body: unknown) => {
            const { status, body: answer } = await post(first.url, `/v1/admin/${path}`, operatorToken, body);
            expect([path, status, answer['detail']]).toEqual([path, 200, undefined]);
            return answer;
          };
          const { organization_id } = await admin('organizations/create', { name: 'Suncoast Agency' });
          const { token } = await admin('tokens/create', { organization_id });
          if (typeof token !== 'string') throw new Error('No token was made.');

          const rollbacks = Math.min(10, Math.max(2, Math.round(publishes / 5)));
          const reachable = new Set(services);
          const answers: Answered[] = [];
          const under = new Set<Promise<void>>();
          let turn = 0;
          const ask = async (): Promise<void> => {
            const sentAt = performance.now();
            for (;;) {
              // As a balancer does: the next that is reachable, and another where a connection breaks.
              const targets = [...reachable];
              const target = targets[turn++ % targets.length]!;
              try {
                const { status, body } = await post(target.url, '/v1/underwrite/home', token, home);
                answers.push({
                  sentAt,
                  receivedAt: performance.now(),
                  status,
                  detail: body['detail'],
                  version: versionIn(body),
                });
                return;
              } catch (error) {
                if (reachable.has(target)) throw error;
              }
            }
          };
          const load = (async () => {
            while (!isOver) {
              const asked: Promise<void> = ask().finally(() => under.delete(asked));
              under.add(asked);
              await sleep(1000 / requestsASecond);
            }
          })();

          const steps: Step[] = [{ version: undefined, askedAt: 0, doneAt: 0 }];
          const stack: (string | undefined)[] = [undefined];
          const step = async (change: () => Promise<string | undefined>) => {
            const askedAt = performance.now();
            const version = await change();
            steps.push({ version, askedAt, doneAt: performance.now() });
            // The load continues until an evaluation used the version, however long this machine takes.
            await until(
              () => answers.findLast((each) => each.version === version && each.sentAt >= askedAt) !== undefined,
              `Nothing was judged by ${version}.`,
            );
          };
          await until(() => answers.length > 0, 'Nothing was judged before anything was published.');
          const disturb = new Map<number, () => Promise<void>>();
          const [paused, killed] = others;
          if (paused && killed) {
            disturb.set(2, async () => {
              paused.process.kill('SIGSTOP');
            });
            disturb.set(4, async () => {
              // Halt it for longer than rules may be stale, across two publications. Callers wait and get answers by
              // the new rules.
              await sleep(MAX_ANSWER_MS);
              paused.process.kill('SIGCONT');
            });
            disturb.set(5, async () => {
              reachable.delete(killed);
              killed.process.kill('SIGKILL');
              await killed.ended;
            });
            disturb.set(6, async () => {
              const again = await startService(startQuotingHere, environment, carriers);
              services.push(again);
              reachable.add(again);
            });
          }
          for (let index = 0; index < publishes; index++) {
            await disturb.get(index)?.();
            const version = `v${index + 1}`;
            const { rule_set_id, revision } = await admin('rule-sets/propose', { rule_set: ruleSet(version) });
            await step(async () => {
              await admin('rule-sets/approve', { rule_set_id, revision });
              stack.push(version);
              return version;
            });
            if (index % Math.floor(publishes / rollbacks) === 1) {
              await step(async () => {
                await admin('rule-sets/rollback', { carrier_key: 'magnolia_test' });
                stack.pop();
                return stack.at(-1);
              });
            }
          }
          await sleep(MAX_ANSWER_MS + 500);
          await until(() => answers.length > publishes * 5, 'Too few were answered.');
          isOver = true;
          await load;
          await Promise.all(under);

          const failed = answers.filter(({ status }) => status !== 200);
          expect([`${failed.length} of ${answers.length}`, failed.slice(0, 20)]).toEqual([
            `0 of ${answers.length}`,
            [],
          ]);
          expect(answers.length).toBeGreaterThan(publishes * 5);
          const wrong = answers.filter((answer) => !wasInForce(answer, steps));
          expect(wrong).toEqual([]);
          // Each published version evaluated at least one home: the load ran during the publications.
          expect(new Set(answers.map(({ version }) => version)).size).toBe(publishes + 1);
          for (const { url } of reachable) {
            const { body } = await post(url, '/v1/underwrite/home', token, home);
            expect(versionIn(body)).toBe(stack.at(-1));
          }
        } finally {
          // Stop the load after any failure, so that it does not run into later tests.
          isOver = true;
          for (const { process } of others) process.kill('SIGCONT');
          await Promise.all(services.map((each) => each.stop()));
          rmSync(folder, { recursive: true, force: true });
        }
      },
      600_000,
    );
  },
);

/** Waits for what comes to pass on any machine. */
async function until(condition: () => boolean, otherwise: string): Promise<void> {
  const begun = performance.now();
  while (!condition()) {
    if (performance.now() - begun > MAX_UNSEEN_MS) throw new Error(otherwise);
    await sleep(20);
  }
}

/** The version of the carrier that is published; undefined: the carrier is not there. */
function versionIn(body: Record<string, unknown>): string | undefined {
  const carriers = (body['carriers'] ?? []) as { carrier_key: string; rule_set: { version: string } }[];
  return carriers.find((each) => each.carrier_key === 'magnolia_test')?.rule_set.version;
}

/** Returns true if the version was in force at some instant between shortly before the request and the answer. */
function wasInForce({ sentAt, receivedAt, version }: Answered, steps: readonly Step[]): boolean {
  return steps.some((step, index) => {
    const endedAt = steps[index + 1]?.doneAt ?? Number.POSITIVE_INFINITY;
    return step.version === version && step.askedAt <= receivedAt && endedAt >= sentAt - MAX_ANSWER_MS;
  });
}
