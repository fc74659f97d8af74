import type { AccountStore } from '@leeward/accounts';
import { DuplicateRecordError, type StoreReader } from '@leeward/accounts/operations';
import { INSTANCE, inForceOf, readRegistry } from './rule-sets/registry-record.ts';

/** Rules of the catalog in force. */
export interface RuleSetFeed {
  /** Rises with every publication of any process; 0: none. One read by key. */
  number(): Promise<number>;
  /** One consistent read. */
  inForce(): Promise<RuleSetsInForce>;
  /** Stores served files by hash, for decisions that refer to them. */
  keepFiles(files: readonly ServedFile[]): Promise<void>;
}

/** A version with moratoria. */
export interface ServedFile {
  readonly sha256: string;
  readonly file: unknown;
}

/** Rules in force at one publication. */
export interface RuleSetsInForce {
  readonly number: number;
  /** An empty list is a withdrawn carrier; a missing key is unknown to the registry. */
  readonly carriers: ReadonlyMap<string, readonly PublishedRuleSet[]>;
  /** In order of approval. */
  readonly moratoria: readonly PublishedMoratorium[];
}

/** A version in force. */
export interface PublishedRuleSet {
  readonly ruleSetId: string;
  readonly version: string;
  readonly sha256: string;
  /** Resolves with parsed JSON. */
  readonly read: () => Promise<unknown>;
}

/** A moratorium in force. */
export interface PublishedMoratorium {
  readonly moratoriumId: string;
  /** null: all carriers. */
  readonly carrierKeys: readonly string[] | null;
  readonly moratorium: unknown;
}

/**
 * Reads the rules in force.
 *
 * @example
 * const { number, carriers } = await createRuleSetFeed(store).inForce();
 */
export function createRuleSetFeed({
  reader,
  read,
  write,
}: Pick<AccountStore, 'reader' | 'read' | 'write'>): RuleSetFeed {
  return {
    number: async () => (await reader.get('registries', INSTANCE))?.number ?? 0,
    inForce: () =>
      read(async (moment) => {
        const registry = await readRegistry(moment, null);
        const carriers = new Map<string, PublishedRuleSet[]>();
        for (const key of Object.keys(registry.carriers)) {
          carriers.set(key, await publishedOf(moment, reader, inForceOf(registry, key) ?? []));
        }
        const moratoria: PublishedMoratorium[] = [];
        for (const id of registry.moratoria) {
          const record = await moment.get('moratoria', id);
          if (record === undefined) continue;
          const { carrier_keys: carrierKeys, moratorium } = record;
          moratoria.push({ moratoriumId: id, carrierKeys, moratorium });
        }
        return { number: registry.number, carriers, moratoria };
      }),
    async keepFiles(files) {
      const missing: ServedFile[] = [];
      for (const each of files) {
        if ((await reader.get('rule_set_files', each.sha256)) === undefined) missing.push(each);
      }
      for (const { sha256, file } of missing) {
        const record = { sha256, rule_set: JSON.stringify(file) };
        await write((writer) => writer.insert('rule_set_files', record)).catch((error: unknown) => {
          // Another process stored the same file first.
          if (!(error instanceof DuplicateRecordError)) throw error;
        });
      }
    },
  };
}

/** Files are read on demand. */
export async function publishedOf(
  moment: StoreReader,
  reader: StoreReader,
  ids: readonly string[],
): Promise<PublishedRuleSet[]> {
  const published: PublishedRuleSet[] = [];
  for (const id of ids) {
    const record = await moment.get('rule_sets', id);
    if (record === undefined) continue;
    const { sha256, version } = record;
    published.push({
      ruleSetId: id,
      version,
      sha256,
      read: async () => {
        const file = await reader.get('rule_set_files', sha256);
        if (file === undefined) throw new Error(`The file of the hash ${sha256} is not in the store.`);
        return JSON.parse(file.rule_set);
      },
    });
  }
  return published;
}
