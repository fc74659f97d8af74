import type { AccountStore } from '@leeward/accounts';
import { DuplicateRecordError, type StoreReader } from '@leeward/accounts/operations';
import { INSTANCE, inForceOf, readRegistry } from './rule-sets/registry-record.ts';

/** The catalog's rules in force, for the processes that serve them. */
export interface RuleSetFeed {
  /** Rises with every publication, from whichever process; 0: there was none. One read by key. */
  number(): Promise<number>;
  /** All that is in force, of one moment. */
  inForce(): Promise<RuleSetsInForce>;
  /** Stores served files by hash, because decisions refer to them. Existing files stay. */
  keepFiles(files: readonly ServedFile[]): Promise<void>;
}

/** A file as it is evaluated: a version with the moratoria added. */
export interface ServedFile {
  readonly sha256: string;
  readonly file: unknown;
}

/** All that the registry has in force at one publication; its number only rises. */
export interface RuleSetsInForce {
  /** The number that these have. */
  readonly number: number;
  /** By carrier; one without versions is withdrawn. Carriers that are not here are not the registry's. */
  readonly carriers: ReadonlyMap<string, readonly PublishedRuleSet[]>;
  /** Moratoria, in the order of their approval. */
  readonly moratoria: readonly PublishedMoratorium[];
}

/** One version of one carrier as it went into force. */
export interface PublishedRuleSet {
  readonly ruleSetId: string;
  readonly version: string;
  readonly sha256: string;
  /** Reads the file, as JSON has it. */
  readonly read: () => Promise<unknown>;
}

/** A moratorium as it went into force; null for all carriers. */
export interface PublishedMoratorium {
  readonly moratoriumId: string;
  /** null: all carriers. */
  readonly carrierKeys: readonly string[] | null;
  /** As a rule set has it. */
  readonly moratorium: unknown;
}

/**
 * Reads from the store what the registry has in force.
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
          // Another process serves the same, and was first.
          if (!(error instanceof DuplicateRecordError)) throw error;
        });
      }
    },
  };
}

/** Versions by their ids; their files never change, and are read when they are wanted. */
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
