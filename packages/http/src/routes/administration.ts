import {
  type Caller as AccountsCaller,
  AdministrationError,
  type Operation as AdministrationOperation,
} from '@leeward/accounts';
import { jsonSchemaOf } from '../document/component-schemas.ts';
import { guarded, type Operation, type RouteGroup } from '../operation/operation.ts';
import type { GuardedContext } from '../operation/request-context.ts';
import { Problem } from '../problem/problem.ts';
import { invalidRequest, notFound, unavailable } from '../problem/usual-problems.ts';

export interface AdministrationPorts {
  /** What accounts can do, each with its path and schemas: `accounts.administration.operations`. */
  readonly operations: readonly AdministrationOperation[];
}

const tag = 'administration';

/** `/v1/admin/…`: organizations, teams, producers, appointments, carriers, overrides, tokens and the audit log. */
export function administrationRoutes({ operations }: AdministrationPorts): RouteGroup {
  return {
    name: tag,
    description:
      'For administrators of an organization, and for the operator of the instance. Every change is audited.',
    operations: operations.map(toOperation),
  };
}

function toOperation(operation: AdministrationOperation): Operation {
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
    requestBody: { name: `Admin${name}Request`, schema: jsonSchemaOf(operation.request, 'input') },
    answers: {
      200: {
        description: 'Done.',
        content: { name: `Admin${name}Response`, schema: jsonSchemaOf(operation.response, 'output') },
      },
    },
    problems: ['not_found', 'conflict'],
    locate: () => undefined,
    handle: (context) => run(operation, context),
  });
}

async function run(operation: AdministrationOperation, { caller, json, requestId }: GuardedContext<undefined>) {
  try {
    // Whoever a directory knows has what accounts want of a caller; a scope they do not know grants nothing.
    return { status: 200, body: await operation.run(caller as AccountsCaller, json, { requestId }) };
  } catch (thrown) {
    throw asProblem(thrown);
  }
}

/** A refusal as a problem; anything else is the store, which is out of reach. */
function asProblem(thrown: unknown): unknown {
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
