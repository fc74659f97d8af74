import {
  type Caller as AccountsCaller,
  AdministrationError,
  type Operation as AdministrationOperation,
} from '@leeward/accounts';
import { arrayOf, isObject } from '@leeward/terms';
import { createContentText } from '../document/content-text.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { invalidRequest, notFound, Problem, unavailable } from '../problem/problem.ts';

/** Operations of accounts, and what is told after something was removed. */
export interface AdministrationPorts {
  /** What accounts can do, each with its path and schemas: `accounts.administration.operations`. */
  readonly operations: readonly AdministrationOperation[];
  /** Told when an organization or a team is no more, before that is answered: what others keep of it goes too. */
  readonly afterRemoval?: () => Promise<unknown>;
}

const tag = 'administration';

/** `/v1/admin/…`: organizations, teams, producers, appointments, carriers, overrides, tokens and the audit log. */
export function administrationRoutes({ operations, afterRemoval }: AdministrationPorts): RouteGroup {
  return {
    name: tag,
    description:
      'For administrators of an organization, and for the operator of the instance. Every change is audited.',
    operations: operations.map((operation) =>
      toOperation(operation, removesTeams.has(operation.name) ? afterRemoval : undefined),
    ),
  };
}

/** What takes teams with it. */
const removesTeams = new Set(['organizations.remove', 'teams.remove']);

function toOperation(operation: AdministrationOperation, after: (() => Promise<unknown>) | undefined): Operation {
  const name = operation.name
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');
  return guarded<undefined>({
    method: 'post',
    path: operation.path,
    operationId: `admin${name}`,
    tag,
    access: { scopes: ['admin', 'operator'] },
    summary: operation.summary,
    requestBody: createContentText(`Admin${name}Request`, operation.request, 'input'),
    answers: {
      200: {
        description: 'Done.',
        content: createContentText(`Admin${name}Response`, operation.response, 'output'),
      },
    },
    problems: ['not_found', 'conflict', ...(operation.takesIdempotencyKey ? (['idempotency_conflict'] as const) : [])],
    locate: () => undefined,
    handle: async (call) => {
      const answer = await run(operation, call);
      // Where it fails it is done again, without being asked, within a minute.
      await after?.().catch(() => {});
      return answer;
    },
  });
}

async function run(operation: AdministrationOperation, call: GuardedContext<undefined>) {
  const { caller, json, requestId } = call;
  // Each rule is checked, and its carrier's compiled with it.
  await call.countItems(rulesIn(json));
  try {
    // Whoever a directory knows has what accounts want of a caller; a scope they do not know grants nothing.
    const body = await operation.run(caller as AccountsCaller, json, {
      requestId,
      signal: call.signal,
      beforeCommit: () => call.beginCommit(),
      idempotencyKey: call.header('idempotency-key') ?? undefined,
    });
    return { status: 200, body };
  } catch (thrown) {
    throw asProblem(thrown);
  }
}

/** How many rules a request brings, whatever else it is. */
function rulesIn(json: unknown): number {
  if (!isObject(json)) return 0;
  const ruleSet = isObject(json['rule_set']) ? json['rule_set'] : {};
  const programs = arrayOf(ruleSet['programs']);
  const lists = [json['add_rules'], ruleSet['rules'], ...programs.map((each) => isObject(each) && each['rules'])];
  return lists.reduce<number>((sum, list) => sum + arrayOf(list).length, 0);
}

/** A refusal as a problem; anything else is the store, which is out of reach. */
function asProblem(thrown: unknown): unknown {
  // The request was given up, or too much of its organization is under review.
  if (thrown instanceof Problem) return thrown;
  if (!(thrown instanceof AdministrationError)) return unavailable('The store of accounts', thrown);
  const errors = thrown.faults;
  switch (thrown.code) {
    case 'not_found':
      return notFound();
    case 'invalid_request':
      return invalidRequest(errors);
    default:
      return new Problem(thrown.code, thrown.message, { errors });
  }
}
