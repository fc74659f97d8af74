import type { Fault, Warning } from '@leeward/terms';
import type { Tree } from '../condition/condition.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { Expansion } from './expansion.ts';

/** What a host adds to the vocabulary: names of facts and operators whose values nobody here can check. */
export interface HostNames {
  readonly facts: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
}

/** What reading a condition hangs on, and where its faults go. */
export interface ConditionContext {
  readonly vocabulary: Vocabulary;
  readonly host: HostNames;
  /** `path` is refused in files from strangers. */
  readonly allowPath: boolean;
  /** Conditions of json-rules-engine's own rules: where one says two things, the one it reads is read. */
  readonly imported: boolean;
  readonly shared: ReadonlyMap<string, Tree>;
  /** Names of all shared conditions, for suggestions. */
  readonly sharedNames: readonly string[];
  readonly expansionOf: (tree: Tree) => Expansion;
  readonly faults: Fault[];
  readonly warnings: Warning[];
}
