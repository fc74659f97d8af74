import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { replayDecision } from '@leeward/authoring/replay';
import { testEngines } from '@leeward/database/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { killLeftovers, type LeewardProcess } from './support/leeward-process.ts';
import { post, type Service, startService } from './support/live-service.ts';
import { createQuoter, eventually, startQuoting, startQuotingHere } from './support/quoting-service.ts';
import { workspace } from './support/running-leeward.ts';
import { testVolume } from './support/test-volume.ts';

afterAll(killLeftovers);

const operatorToken = 'an operator of the storms of this test alone';
/** No process may evaluate events that were replaced longer ago than this. */
const MAX_LAG_MS = 2_000;
/** A change must be used for an evaluation within this time, however busy the machine is. */
const MAX_UNSEEN_MS = 120_000;
const MAX_UNANSWERED = 500;
const requestsASecond = Number(process.env['LEEWARD_TEST_RATE'] ?? Math.min(200, testVolume(20)));

const home = { state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 1 };
const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
/** Closed while a hurricane covers the home. */
const suspension = {
  id: 'hurricane',
  when: {
    all: [
      {
        count: 'events',
        where: {
          all: [
            test('kind', 'equal', 'hurricane'),
            test('covers_home', 'equal', true),
            test('hours_since_end', 'lessThanInclusive', 0),
          ],
        },
        operator: 'greaterThanInclusive',
        value: 1,
      },
    ],
  },
  message: 'Binding is suspended: {event}.',
};
const ruleSet = {
  format: 1,
  carrier: { key: 'storm_mutual', name: 'Storm Mutual' },
  version: '1',
  effective: { from: '2026-01-01', until: null },
  programs: [{ id: 'tx', policy_types: ['ho3'], states: ['tx'] }],
  moratoria: [suspension],
};

const sawpalm = JSON.parse(
  readFileSync(join(workspace, 'fixtures/carriers/sawpalm_home/rule-set.json'), 'utf8'),
) as Json;

type Json = Readonly<Record<string, unknown>>;
interface Answered {
  readonly url: string;
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly status: number;
  readonly verdict: unknown;
}

/** Events changed at some instant between the request and its answer. */
interface Step {
  readonly verdict: 'eligible' | 'ineligible';
  readonly askedAt: number;
  readonly doneAt: number;
}

/** Keeps the bodies of webhooks. */
async function receiveEvents() {
  const bodies: { readonly id: string; readonly type: string; readonly data: Json }[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    bodies.push({ id: String(request.headers['webhook-id']), ...JSON.parse(text) });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    bodies,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const engine = (await testEngines()).find(({ title }) => title === 'PostgreSQL')!;

describe('A storm, on PostgreSQL', () => {
  const skipped = engine.skip === undefined ? '' : ` (skipped: ${engine.skip})`;
  it.skipIf(engine.skip !== undefined)(
    `closes and reopens homes in three processes within two seconds${skipped}`,
    async () => {
      await using place = await engine.createPlace();
      using receiver = await receiveEvents();
      const folder = mkdtempSync(join(tmpdir(), 'leeward-storms-live-'));
      const carriers = join(folder, 'carriers');
      const quoting = join(carriers, 'sawpalm_home');
      cpSync(join(workspace, 'fixtures/carriers/sawpalm_home'), quoting, { recursive: true });
      writeFileSync(join(quoting, 'rule-set.json'), JSON.stringify({ ...sawpalm, moratoria: [suspension] }));
      mkdirSync(join(carriers, 'storm_mutual'));
      writeFileSync(join(carriers, 'storm_mutual/rule-set.json'), JSON.stringify(ruleSet));
      const environment = {
        LEEWARD_DATA_DIR: folder,
        LEEWARD_DATABASE_URL: place.url,
        LEEWARD_OPERATOR_TOKEN: operatorToken,
        LEEWARD_RATE_LIMIT: '0',
        LEEWARD_ITEM_LIMIT: '0',
        LEEWARD_LOG_LEVEL: 'silent',
        LEEWARD_CAPTURE: '0.2',
        LEEWARD_PRIVATE_WEBHOOKS: 'true',
        // A busy machine would refuse requests that it cannot answer in time.
        LEEWARD_MAX_DELAY_MS: '0',
        LEEWARD_REQUEST_TIMEOUT_MS: '0',
      };
      const services: Service[] = [];
      const others: Service<LeewardProcess>[] = [];
      let isOver = false;
      try {
        const first = await startService(startQuotingHere, environment, carriers);
        services.push(first);
        others.push(...(await Promise.all([1, 2].map(() => startService(startQuoting, environment, carriers)))));
        services.push(...others);
        const admin = async (path: string, body: unknown) => {
          const { status, body: answer } = await post(first.url, `/v1/admin/${path}`, operatorToken, body);
          expect([path, status, answer['detail']]).toEqual([path, 200, undefined]);
          return answer;
        };
        const { organization_id } = await admin('organizations/create', { name: 'Suncoast Agency' });
        const { token } = (await admin('tokens/create', { organization_id })) as { token: string };
        const quoter = await openTeam(first.url, admin, String(organization_id), receiver.url);
        const { quote_request_id: quoteId } = await quoter.create();
        await eventually(
          async () => (await quoter.status(quoteId)).status === 'complete',
          () => 'not quoted',
          30_000,
        );
        const affected = () => receiver.bodies.filter(({ type }) => type === 'quote.affected');
        const { team_token } = quoter;
        const watched = { reference: 'customer 4711', home };
        expect(await post(first.url, '/api/v1/watched-homes/create', team_token, watched)).toMatchObject({
          status: 200,
        });
        const homeChanges = () => receiver.bodies.filter(({ type }) => type === 'home.verdicts_changed');

        const answers: Answered[] = [];
        const under = new Set<Promise<void>>();
        let turn = 0;
        const ask = async (): Promise<void> => {
          const { url } = services[turn++ % services.length]!;
          const sentAt = performance.now();
          const { status, body } = await post(url, '/v1/underwrite/home', token, home);
          answers.push({ url, sentAt, receivedAt: performance.now(), status, verdict: verdictIn(body) });
        };
        const load = (async () => {
          const startedAt = performance.now();
          for (let count = 0; !isOver; await sleep(5)) {
            const due = ((performance.now() - startedAt) / 1000) * requestsASecond;
            for (; count < due; count++) {
              // A process that is halted answers later.
              if (under.size >= MAX_UNANSWERED) continue;
              const asked: Promise<void> = ask().finally(() => under.delete(asked));
              under.add(asked);
            }
          }
        })();

        const steps: Step[] = [{ verdict: 'eligible', askedAt: 0, doneAt: 0 }];
        /** Changes events, and waits until every process has used the change. */
        const step = async (verdict: Step['verdict'], change: () => Promise<unknown>) => {
          const askedAt = performance.now();
          await change();
          steps.push({ verdict, askedAt, doneAt: performance.now() });
          const isUsedAt = ({ url }: Service) =>
            answers.some((each) => each.url === url && each.verdict === verdict && each.sentAt >= askedAt);
          await until(() => services.every(isUsedAt), `Not every process answered ${verdict}.`);
        };
        await until(() => answers.length > 10, 'Nothing was answered before the storm.');
        const rounds = testVolume(3);
        for (let round = 0; round < rounds; round++) {
          const event = { id: `al0${round}-2026`, kind: 'hurricane', name: 'Elena', states: ['tx', 'fl'] };
          const [paused] = others;
          // A process that is halted across a change answers by the new events when it goes on.
          if (round === 1) paused!.process.kill('SIGSTOP');
          const posting = step('ineligible', () =>
            admin('hazard-events/post', { event: { ...event, from: new Date(Date.now() - 1_000).toISOString() } }),
          );
          if (round === 1) {
            await sleep(MAX_LAG_MS);
            paused!.process.kill('SIGCONT');
          }
          await posting;
          await until(() => affected().length > 2 * round, 'The team was not notified of the storm.');
          await until(() => homeChanges().length > 2 * round, 'The team was not notified about its watched home.');
          await step('eligible', () => admin('hazard-events/end', { event_id: event.id }));
          await until(() => affected().length > 2 * round + 1, 'The team was not notified of its end.');
          await until(() => homeChanges().length > 2 * round + 1, 'The watched home was not reported open again.');
          // Records have what was known of it.
          if (round === 0) await admin('hazard-events/remove', { event_id: event.id });
        }
        await sleep(MAX_LAG_MS);
        isOver = true;
        await load;
        await Promise.all(under);

        expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
        const lags = answers.map((answer) => lagOf(answer, steps));
        const maxLagMs = Math.max(...lags);
        if (process.env['LEEWARD_TEST_REPORT'] !== undefined) {
          process.stderr.write(
            `${answers.length} answers, ${steps.length - 1} changes, max lag ${Math.round(maxLagMs)} ms\n`,
          );
        }
        expect(maxLagMs).toBeLessThan(MAX_LAG_MS);

        await sleep(1_500);
        const { items } = await admin('saved-decisions/list', { limit: 200 });
        const closed: unknown[] = [];
        for (const { decision_id } of items as { decision_id: string }[]) {
          const { record, answers: saved } = (await admin('saved-decisions/get', { decision_id })) as {
            record: { rule_sets: { carrier_key: string }[] };
            answers: Record<string, Record<string, { status: string }>>;
          };
          if (saved['storm_mutual']?.['ho3']?.status === 'ineligible') closed.push(decision_id);
          const { matches } = await replayDecision(
            record,
            async ({ version }: { readonly version: string | null }) => ({
              file: version === ruleSet.version ? ruleSet : { ...sawpalm, moratoria: [suspension] },
            }),
          );
          expect([decision_id, matches]).toEqual([decision_id, true]);
        }
        expect(items).not.toEqual([]);
        expect(closed).not.toEqual([]);
        // One of three processes evaluated the quote again after each change, and sent it once.
        const sent = affected();
        expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length);
        const changes = sent.map(({ data }) => (data['carriers'] as { change: string }[]).map(({ change }) => change));
        expect(changes).toEqual(Array.from({ length: 2 * rounds }, (_, index) => [index % 2 ? 'reopened' : 'closed']));
        expect(
          homeChanges().map(({ data }) => [
            data['reference'],
            data['number'],
            (data['changes'] as Json[]).map((each) => [each['carrier_key'], each['status_after']]),
          ]),
        ).toEqual(
          Array.from({ length: 2 * rounds }, (_, index) => [
            'customer 4711',
            index + 1,
            [['storm_mutual', index % 2 ? 'eligible' : 'ineligible']],
          ]),
        );
      } finally {
        isOver = true;
        for (const { process } of others) process.kill('SIGCONT');
        await Promise.all(services.map((each) => each.stop()));
        rmSync(folder, { recursive: true, force: true });
      }
    },
    600_000,
  );
});

/** A team with an endpoint, whose organization the carrier appointed. */
async function openTeam(
  url: string,
  admin: (path: string, body: unknown) => Promise<Json>,
  organization_id: string,
  endpoint: string,
) {
  for (const carrier_key of ['sawpalm_home', 'storm_mutual']) {
    await admin('appointments/create', { organization_id, carrier_key });
  }
  const { team_id } = await admin('teams/create', { organization_id, name: 'Personal lines' });
  const email = 'pat@suncoast.example';
  await admin('producers/create', { organization_id, team_id, email });
  const { token } = (await admin('tokens/create', { organization_id, team_id })) as { token: string };
  await admin('webhooks/create', { team_id, url: endpoint });
  return { team_token: token, ...createQuoter(url, { team_token: token, producer_email: email }) };
}

/** Waits for what comes to pass on any machine. */
async function until(condition: () => boolean, otherwise: string): Promise<void> {
  const begun = performance.now();
  while (!condition()) {
    if (performance.now() - begun > MAX_UNSEEN_MS) throw new Error(otherwise);
    await sleep(20);
  }
}

function verdictIn(body: Json): unknown {
  const all = [...((body['carriers'] ?? []) as Json[]), ...((body['declined'] ?? []) as Json[])];
  return all.find((each) => each['carrier_key'] === 'storm_mutual')?.['status'];
}

/** Time from the last instant at which the answer was right to the request, in ms; 0 if it was right at some instant between both. */
function lagOf({ sentAt, receivedAt, verdict }: Answered, steps: readonly Step[]): number {
  const lags = steps.flatMap((step, index) => {
    if (step.verdict !== verdict || step.askedAt > receivedAt) return [];
    return [Math.max(0, sentAt - (steps[index + 1]?.doneAt ?? Number.POSITIVE_INFINITY))];
  });
  return Math.min(Number.POSITIVE_INFINITY, ...lags);
}
