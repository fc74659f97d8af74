import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Accounts } from '@leeward/accounts';
import type { Database } from '@leeward/database';
import type { Decider } from '@leeward/engine';
import { createAccountTeams, createQuoteJudge, type UnderwritingPorts } from '@leeward/http';
import {
  type CarrierAdapter,
  checkRatingPlan,
  createQuotes,
  createRateTableCarrier,
  createSandboxCarrier,
  type Judge,
  type QueueBackend,
  type Quotes,
  type RatingPlan,
} from '@leeward/quotes';
import { createPQueueBackend } from '@leeward/quotes/queues/p-queue';
import { type FileFault, printFaults } from '../carriers/file-fault.ts';
import { readJsonFile } from '../carriers/json-file.ts';
import { CommandError } from '../command-error.ts';
import { nearPath } from '../near-path.ts';

export const sandboxKey = 'sandbox';
/** With a lease margin of as much again, what a stopped worker held is free after 30 s. */
const sandboxDeadlineMs = 15_000;

export interface QuoteSettings {
  /** `sqlite:` (or nothing): in this process; `postgres://…`: pg-boss; `redis://…`: BullMQ. */
  readonly queueUrl: string | undefined;
  readonly dataFolder: string;
  readonly demo: boolean;
  /** Folder of carriers: `<carrier>/rating-plan.json` beside their rules. */
  readonly carriersFolder: string;
  /** For naming files in faults. */
  readonly folder: string;
}

interface QuotePorts {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly underwriting: UnderwritingPorts;
}

/** Quoting over the rating plans found beside the rule sets, and, in a demo, a sandbox carrier with a ledger. */
export async function openQuotes(
  { database, accounts, underwriting }: QuotePorts,
  settings: QuoteSettings,
): Promise<Quotes> {
  const judge = createQuoteJudge({ rulesOf: rulesOfTeams(accounts, underwriting) });
  const carriers = rateTableCarriers(settings, judge);
  if (settings.demo) {
    carriers.push(
      createSandboxCarrier({
        key: sandboxKey,
        name: 'Sandbox Carrier',
        latencyMs: 3000,
        limits: { concurrency: 8, deadlineMs: sandboxDeadlineMs },
        ledger: join(settings.dataFolder, 'sandbox-calls.ndjson'),
      }),
    );
  }
  return createQuotes({
    database,
    carriers,
    queue: await openQueue(settings.queueUrl),
    teams: createAccountTeams(accounts.directory),
  });
}

/** The rules of a team's organization; the base's where accounts know none. */
function rulesOfTeams({ directory }: Accounts, { catalog, organizations }: UnderwritingPorts) {
  return async (teamId: string): Promise<Decider> => {
    const team = await directory.team(teamId);
    return (team && (await organizations?.catalogOf(team.organizationId))) ?? catalog;
  };
}

async function openQueue(url: string | undefined): Promise<QueueBackend> {
  if (url?.startsWith('postgres')) {
    const { createPgBossBackend } = await import('@leeward/quotes/queues/pg-boss');
    return createPgBossBackend({ url });
  }
  if (url?.startsWith('redis')) {
    const { createBullMqBackend } = await import('@leeward/quotes/queues/bullmq');
    return createBullMqBackend({ url });
  }
  return createPQueueBackend();
}

/** Throws one error with the faults of all rating plans. */
function rateTableCarriers({ carriersFolder, folder }: QuoteSettings, judge: Judge): CarrierAdapter[] {
  const plans = new Map<string, RatingPlan[]>();
  const faults: FileFault[] = [];
  for (const path of ratingPlanPaths(carriersFolder)) {
    const file = nearPath(path, folder);
    const read = readJsonFile(file, readFileSync(path, 'utf8'));
    if (!('value' in read)) {
      faults.push(...read);
      continue;
    }
    const { plan, faults: found } = checkRatingPlan(read.value);
    for (const fault of found) faults.push({ ...fault, file, line: read.lineOf(fault.path) });
    if (plan) plans.set(plan.carrierKey, [...(plans.get(plan.carrierKey) ?? []), plan]);
  }
  if (faults.length > 0) throw new CommandError(`Rating plans that cannot be used:\n\n${printFaults(faults)}`);
  return [...plans.values()].map(([first, ...others]) => createRateTableCarrier({ plans: [first!, ...others], judge }));
}

function ratingPlanPaths(carriersFolder: string): string[] {
  if (!existsSync(carriersFolder) || !statSync(carriersFolder).isDirectory()) return [];
  return readdirSync(carriersFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => {
      const inside = join(carriersFolder, entry.name);
      return readdirSync(inside)
        .filter((name) => /^rating-plan(?:\..+)?\.json$/.test(name))
        .map((name) => join(inside, name));
    })
    .sort();
}
