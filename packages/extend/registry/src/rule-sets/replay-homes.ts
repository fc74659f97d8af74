import { AdministrationError } from '@leeward/accounts';
import type { HomesReplayed } from '../rule-set-review.ts';
import type { ReplayHome, RulesSource } from '../rules-port.ts';
import { savedInParts } from '../saved-decisions.ts';
import { isOperator } from './find-rule-set.ts';
import type { RegistryCall } from './services.ts';

export interface ComparedFiles {
  readonly ruleSet: unknown;
  /** undefined: unknown to the registry; another catalog may have the carrier. */
  readonly inForce: readonly unknown[] | undefined;
}

/** Replays the saved decisions of an organization, or all for the catalog. */
export async function replaySaved(
  call: RegistryCall,
  organizationId: string | null,
  files: ComparedFiles,
  maxChanges: number,
): Promise<HomesReplayed> {
  const { reader } = call.services.store;
  async function* homes(): AsyncGenerator<readonly ReplayHome[]> {
    for await (const part of savedInParts(reader, organizationId)) {
      yield part.map(({ decision_id: id, record, answers }) => ({ id, record, answers }));
    }
  }
  const overrides = await overridesOf(call, organizationId, files.ruleSet);
  return replay(call, organizationId, { ...files, overrides, homes: homes(), maxChanges });
}

/** Homes are named by their place in the book. */
export function replayBook(
  call: RegistryCall,
  organizationId: string | null,
  files: ComparedFiles,
  book: readonly unknown[],
): Promise<HomesReplayed> {
  async function* homes(): AsyncGenerator<readonly ReplayHome[]> {
    for (let start = 0; start < book.length; start += HOMES_AT_ONCE) {
      const part = book.slice(start, start + HOMES_AT_ONCE);
      yield part.map((request, index) => ({ id: String(start + index + 1), request }));
    }
  }
  return replay(call, organizationId, { ...files, overrides: [], homes: homes(), maxChanges: 0 });
}

export function sourceOf({ authority, signal }: RegistryCall, organizationId: string | null): RulesSource {
  return { organizationId: organizationId ?? undefined, isOperator: isOperator(authority), signal };
}

export function takeTurn<T>(call: RegistryCall, organizationId: string | null, work: () => Promise<T>): Promise<T> {
  const { rules } = call.services;
  return rules.takeTurn === undefined ? work() : rules.takeTurn(sourceOf(call, organizationId), work);
}

const HOMES_AT_ONCE = 500;

async function replay(
  call: RegistryCall,
  organizationId: string | null,
  request: ComparedFiles & {
    readonly overrides: readonly unknown[];
    readonly homes: AsyncGenerator<readonly ReplayHome[]>;
    readonly maxChanges: number;
  },
): Promise<HomesReplayed> {
  const { services, atMs } = call;
  const from = sourceOf(call, organizationId);
  const { faults, replayed } = await services.rules.replayRuleSet({ ...request, atMs }, from);
  if (replayed !== undefined) return replayed;
  throw new AdministrationError(
    'invalid_request',
    faults.map((fault) => ({ ...fault, path: `/rule_set${fault.path}` })),
  );
}

/** null: of all organizations. */
async function overridesOf(
  { services }: RegistryCall,
  organizationId: string | null,
  ruleSet: unknown,
): Promise<unknown[]> {
  const carrier = (ruleSet as { carrier?: { key?: unknown } | null } | null)?.carrier;
  if (typeof carrier?.key !== 'string') return [];
  const owner = organizationId === null ? {} : { organization_id: organizationId };
  const records = await services.store.reader.list('overrides', { where: { ...owner, carrier_key: carrier.key } });
  return records.map(({ override }) => JSON.parse(override));
}
