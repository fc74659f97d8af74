import { appendToChain, chainIdOf, emptyChain } from '../audit/audit-chain.ts';
import { isUsable } from '../token/is-usable.ts';
import { reminderOf } from '../token/rotation.ts';
import type { AccountStore, Equals, ListQuery, StoreReader, StoreWriter } from './account-store.ts';
import { DuplicateRecordError } from './account-store.ts';
import { fieldOf, idOf, layouts } from './layout.ts';
import type { Kind, Records, SavedDecisionRecord } from './records.ts';

type AnyRecord = Records[Kind];
/** null: removed. */
type Changes = Map<Kind, Map<string, AnyRecord | null>>;

const kinds = Object.keys(layouts) as Kind[];

/**
 * In memory: for embedding, demonstrations and tests.
 *
 * @example
 * createAccounts({ store: createMemoryStore() });
 */
export function createMemoryStore(): AccountStore {
  const tables = new Map(kinds.map((kind) => [kind, new MemoryTable(kind)]));
  const tableOf = (kind: Kind): MemoryTable => tables.get(kind)!;
  let last: Promise<unknown> = Promise.resolve();

  const reader = createReader(tableOf, new Map());
  return {
    reader,
    // Queued, so that no write comes between two reads.
    read: (work) => inTurn(() => work(reader)),
    write: (work) =>
      inTurn(async () => {
        const changes: Changes = new Map();
        const result = await work(createWriter(tableOf, changes));
        for (const [kind, changed] of changes) tableOf(kind).apply(changed);
        return result;
      }),
    countReminders: ({ environment, nowMs, maxDays }) =>
      inTurn(async () => {
        const tokens = await reader.list('tokens', {});
        const replaced = new Set(tokens.map((token) => token.rotated_from));
        const due = tokens
          .filter(
            (token) => token.environment === environment && isUsable(token, nowMs) && !replaced.has(token.token_id),
          )
          .map((token) => reminderOf(token, nowMs, maxDays));
        return {
          expires_soon: due.filter((each) => each === 'expires_soon').length,
          exceeds_policy: due.filter((each) => each === 'exceeds_policy').length,
        };
      }),
    recordUses: (uses) =>
      inTurn(async () => {
        for (const { tokenId, atMs } of uses) {
          const token = (await reader.get('tokens', tokenId)) as Records['tokens'] | undefined;
          if (token === undefined || (token.last_used_at ?? 0) >= atMs) continue;
          tableOf('tokens').apply(new Map([[tokenId, { ...token, last_used_at: atMs }]]));
        }
      }),
    saveDecisions: (decisions, maxOfEach) =>
      inTurn(async () => {
        const isThere = ({ organization_id: id }: SavedDecisionRecord) =>
          id === null || tableOf('organizations').get(id) !== undefined;
        const accepted = decisions.filter(isThere);
        tableOf('saved_decisions').apply(
          new Map(accepted.map((each) => [each.decision_id, Object.freeze({ ...each })])),
        );
        for (const id of new Set(accepted.map((each) => each.organization_id))) {
          const where = { organization_id: id };
          const latest = await reader.list('saved_decisions', { where, newestFirst: true });
          forget(latest.slice(maxOfEach));
        }
      }),
    forgetDecisions: (beforeMs) =>
      inTurn(async () => {
        const all = await reader.list('saved_decisions', {});
        forget(all.filter(({ at }) => at < beforeMs));
      }),
  };

  function forget(decisions: readonly SavedDecisionRecord[]): void {
    tableOf('saved_decisions').apply(new Map(decisions.map(({ decision_id: id }) => [id, null])));
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  }
}

/** Indexed by id and by owner. */
class MemoryTable {
  readonly #byId = new Map<string, AnyRecord>();
  readonly #byOwner = new Map<string, Set<string>>();
  readonly #ownerFields: readonly string[];

  constructor(kind: Kind) {
    const owners = Object.keys(layouts[kind].belongsTo);
    // Narrowest owner first.
    this.#ownerFields = kind === 'audit' ? ['organization_id'] : owners.reverse();
  }

  get(id: string): AnyRecord | undefined {
    return this.#byId.get(id);
  }

  candidates(where: object): Iterable<string> {
    const field = this.#ownerFields.find((name) => typeof fieldOf(where, name) === 'string');
    if (field === undefined) return this.#byId.keys();
    return this.#byOwner.get(`${field} ${fieldOf(where, field)}`) ?? [];
  }

  apply(changed: ReadonlyMap<string, AnyRecord | null>): void {
    for (const [id, record] of changed) {
      const before = this.#byId.get(id);
      if (before !== undefined) for (const owner of this.#ownersOf(before)) this.#byOwner.get(owner)?.delete(id);
      if (record === null) {
        this.#byId.delete(id);
        continue;
      }
      this.#byId.set(id, record);
      for (const owner of this.#ownersOf(record)) {
        const owned = this.#byOwner.get(owner) ?? new Set();
        this.#byOwner.set(owner, owned.add(id));
      }
    }
  }

  #ownersOf(record: AnyRecord): string[] {
    return this.#ownerFields.map((field) => `${field} ${fieldOf(record, field)}`);
  }
}

function createReader(tableOf: (kind: Kind) => MemoryTable, changes: Changes): StoreReader {
  const get = <K extends Kind>(kind: K, id: string): Records[K] | undefined => {
    const changed = changes.get(kind)?.get(id);
    return (changed === undefined ? tableOf(kind).get(id) : (changed ?? undefined)) as Records[K] | undefined;
  };
  const matching = <K extends Kind>(kind: K, where: Equals<Records[K]> = {}): Records[K][] => {
    const ids = new Set([...tableOf(kind).candidates(where), ...(changes.get(kind)?.keys() ?? [])]);
    const conditions = Object.entries(where);
    return [...ids]
      .map((id) => get(kind, id))
      .filter((record) => record !== undefined)
      .filter((record) => conditions.every(([field, value]) => fieldOf(record, field) === value));
  };
  const list = <K extends Kind>(kind: K, query: ListQuery<Records[K]>): Records[K][] => {
    const sign = query.newestFirst === true ? -1 : 1;
    const order = (a: string, b: string) => (a < b ? -sign : a > b ? sign : 0);
    const { after } = query;
    return matching(kind, query.where)
      .filter((record) => after === undefined || order(after, idOf(kind, record)) < 0)
      .sort((a, b) => order(idOf(kind, a), idOf(kind, b)))
      .slice(0, query.limit);
  };
  return {
    get: async (kind, id) => get(kind, id),
    list: async (kind, query) => list(kind, query),
    count: async (kind, where) => matching(kind, where).length,
  };
}

function createWriter(tableOf: (kind: Kind) => MemoryTable, changes: Changes): StoreWriter {
  const reader = createReader(tableOf, changes);
  const change = (kind: Kind, id: string, record: AnyRecord | null) => {
    const changed = changes.get(kind) ?? new Map<string, AnyRecord | null>();
    changes.set(kind, changed.set(id, record));
  };
  const put = async <K extends Kind>(kind: K, record: Records[K]) => {
    for (const fields of layouts[kind].unique) {
      const where = Object.fromEntries(fields.map((field) => [field, fieldOf(record, field)])) as Equals<Records[K]>;
      const others = await reader.list(kind, { where });
      if (others.some((other) => idOf(kind, other) !== idOf(kind, record))) {
        throw new DuplicateRecordError(`One of the ${kind} has these ${fields.join(', ')} already.`);
      }
    }
    change(kind, idOf(kind, record), Object.freeze<AnyRecord>({ ...record }));
  };
  const remove = async (kind: Kind, id: string): Promise<void> => {
    change(kind, id, null);
    for (const belonging of kinds) {
      for (const [field, owner] of Object.entries(layouts[belonging].belongsTo)) {
        if (owner !== kind) continue;
        const where = { [field]: id } as Equals<Records[typeof belonging]>;
        for (const record of await reader.list(belonging, { where })) await remove(belonging, idOf(belonging, record));
      }
    }
  };
  return {
    ...reader,
    lock: (kind, id) => reader.get(kind, id),
    insert: put,
    replace: put,
    remove,
    async append(entry) {
      const { organization_id: owner } = entry;
      const { record, head } = appendToChain(
        (await reader.get('audit_chains', chainIdOf(owner))) ?? emptyChain(owner),
        entry,
      );
      await put('audit', record);
      await put('audit_chains', head);
    },
  };
}
