import {
  type Caller as AccountsCaller,
  AdministrationError,
  type Operation as AdministrationOperation,
} from '@leeward/accounts';
import {
  createContentText,
  type GuardedContext,
  guarded,
  invalidRequest,
  notFound,
  type Operation,
  Problem,
  type RouteGroup,
  unavailable,
} from '@leeward/http';
import { arrayOf, isObject } from '@leeward/terms';
import { administrationNotes } from './administration-notes.ts';
import { type OperationNotes, only } from './operation-note.ts';
import { ruleSetNotes } from './rule-set-notes.ts';

const at = '2026-08-29T12:00:00.000000Z';
const event = {
  id: 'al05-2026',
  kind: 'hurricane',
  name: 'Elena',
  position: { latitude: 27.1, longitude: -84.2 },
  states: ['fl', 'al'],
  alert: 'watch',
  from: '2026-08-29T12:00:00Z',
  until: null,
};
const item = { event_id: event.id, event, state: 'standing', revision: 1, created_at: at, updated_at: at };
const ended = { ...item, event: { ...event, until: '2026-09-01T06:00:00Z' }, state: 'ended', revision: 2 };

/** Texts of the operations on hazard events. */
const hazardEventNotes: OperationNotes = {
  adminHazardEventsList: {
    description:
      'Storms, earthquakes, fires and other events that rule sets can test. Events that ended more than a year ago are in no decision; `include_past` lists them too. For the operator.',
    request: only('The first ten', { limit: 10 }),
    answer: only('One page', { items: [item], next: null }),
  },
  adminHazardEventsGet: {
    request: only('By its id', { event_id: event.id }),
    answer: only('A hurricane', item),
  },
  adminHazardEventsPost: {
    description:
      'Homes are closed in every process within two seconds; decisions that began before keep the events that they began with. To replace an event give the revision that you read; the same event again changes nothing. 422 names every fault, and then nothing is stored. For the operator.',
    request: only('A hurricane', { event }),
    answer: only('The stored event', item),
  },
  adminHazardEventsEnd: {
    description:
      'Sets `until`, by default to now. Homes are reopened in every process within two seconds, or after the hours that a rule adds to the end. For the operator.',
    request: only('It is over', { event_id: event.id, revision: 1, why: 'Dissipated over Georgia.' }),
    answer: only('The ended event', ended),
  },
  adminHazardEventsRemove: {
    description:
      'For an event that was posted by mistake: hours after its end do not apply. Decision records keep what was known of it. For the operator.',
    request: only('By its id', { event_id: event.id, why: 'Posted twice.' }),
    answer: only('Its last state', item),
  },
};

/** Operations of accounts and of the registry. */
export interface AdministrationPorts {
  /** `accounts.administration.operations` and `registry.administration.operations`. */
  readonly operations: readonly AdministrationOperation[];
  /** Called after an organization or a team was removed, before the answer. If omitted, nothing is called. */
  readonly afterRemoval?: () => Promise<unknown>;
}

const tag = 'administration';
const notes = { ...administrationNotes, ...ruleSetNotes, ...hazardEventNotes };

/**
 * `/v1/admin/…`: organizations, teams, producers, appointments, carriers, overrides, tokens, rule sets and the audit log.
 *
 * @example
 * createLeeward({ directory: accounts.directory, routes: [administrationRoutes(accounts.administration)] });
 */
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

const removesTeams = new Set(['organizations.remove', 'teams.remove']);

function toOperation(operation: AdministrationOperation, after: (() => Promise<unknown>) | undefined): Operation {
  const name = operation.name
    .split(/[._]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('');
  const operationId = `admin${name}`;
  const { description, headers, request, answer } = notes[operationId] ?? {};
  return guarded<undefined>({
    method: 'post',
    path: operation.path,
    operationId,
    tag,
    access: { scopes: ['admin', 'operator'] },
    summary: operation.summary,
    ...(description !== undefined && { description }),
    ...(headers && { headers }),
    requestBody: createContentText(`Admin${name}Request`, operation.request, 'input', request && { examples: request }),
    answers: {
      200: {
        description: 'Done.',
        content: createContentText(
          `Admin${name}Response`,
          operation.response,
          'output',
          answer && { examples: answer },
        ),
      },
    },
    problems: ['not_found', 'conflict', ...(operation.takesIdempotencyKey ? (['idempotency_conflict'] as const) : [])],
    locate: () => undefined,
    handle: async (call) => {
      const answer = await run(operation, call);
      // Quotes retry a failed erasure within a minute.
      await after?.().catch(() => {});
      return answer;
    },
  });
}

async function run(operation: AdministrationOperation, call: GuardedContext<undefined>) {
  const { caller, json, requestId } = call;
  // Each rule is checked and compiled.
  await call.countItems(rulesIn(json));
  try {
    // Accounts ignore unknown scopes.
    const body = await operation.run(caller as AccountsCaller, json, {
      requestId,
      network: call.network,
      signal: call.signal,
      beforeCommit: () => call.beginCommit(),
      idempotencyKey: call.header('idempotency-key') ?? undefined,
    });
    return { status: 200, body };
  } catch (thrown) {
    throw asAdministrationProblem(thrown);
  }
}

/** Number of rules in a request. */
function rulesIn(json: unknown): number {
  if (!isObject(json)) return 0;
  const ruleSet = isObject(json['rule_set']) ? json['rule_set'] : {};
  const programs = arrayOf(ruleSet['programs']);
  const lists = [json['add_rules'], ruleSet['rules'], ...programs.map((each) => isObject(each) && each['rules'])];
  return lists.reduce<number>((sum, list) => sum + arrayOf(list).length, 0);
}

/** A refusal as its problem. Any other error means that the store is unavailable. */
export function asAdministrationProblem(thrown: unknown): unknown {
  // The request was cancelled, or the organization has too many reviews waiting.
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
