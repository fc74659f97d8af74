import type { Fault, Warning } from '@leeward/terms';
import type { Tree } from '../condition/condition.ts';
import type { ListField } from '../vocabulary/list-field.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import type { FileAreas } from './check-areas.ts';
import type { Expansion } from './expansion.ts';

/** Names of a host's facts and operators. Their values cannot be checked here. */
export interface HostNames {
  readonly facts: ReadonlySet<string>;
  readonly operators: ReadonlySet<string>;
}

export interface ConditionContext {
  readonly vocabulary: Vocabulary;
  readonly host: HostNames;
  /** False for files from untrusted authors. */
  readonly allowPath: boolean;
  /** True for rules in the syntax of json-rules-engine: of two keys of a condition, the one that json-rules-engine uses wins. */
  readonly imported: boolean;
  readonly shared: ReadonlyMap<string, Tree>;
  /** Names of all shared conditions, for suggestions. */
  readonly sharedNames: readonly string[];
  /** The list whose items the condition tests; undefined for a condition of the property. */
  readonly list?: ListField;
  /** The areas of the file. @default none */
  readonly areas?: FileAreas;
  readonly expansionOf: (tree: Tree) => Expansion;
  readonly faults: Fault[];
  readonly warnings: Warning[];
}
