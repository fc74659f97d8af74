import { type Catalog, catalogOf } from '../catalog/catalog.ts';
import type { Carrier } from '../catalog/versions.ts';
import type { Property } from '../request/property.ts';
import type { RuleSet } from '../rule-set/rule-set.ts';
import type { Status, Verdict } from '../verdict/verdict.ts';

/** A policy whose answer is another under the new rules. */
export interface Moved {
  /** Where the policy stands in the book. */
  readonly line: number;
  readonly policyType: string;
  readonly state: string;
  readonly before: Status;
  readonly after: Status;
  /** Ids of the rules behind it: those of the new answer, or, where that has none, of the old one. */
  readonly ruleIds: readonly string[];
  readonly codes: readonly string[];
}

/** A policy of a book, read as every request is read, or what is wrong with its line. */
export type BookPolicy = { readonly line: number } & (
  | { readonly property: Property; readonly message?: undefined }
  | { readonly message: string }
);

/** Which policies of a book two versions answer otherwise. */
export interface BookDiff {
  readonly policies: number;
  readonly moved: readonly Moved[];
  /** Lines that are no home, with what is wrong. */
  readonly unread: readonly { readonly line: number; readonly message: string }[];
}

/** Judges every home of a book by both versions, each as though it were in force. */
export async function diffBook(
  older: RuleSet,
  newer: RuleSet,
  book: Iterable<BookPolicy> | AsyncIterable<BookPolicy>,
): Promise<BookDiff> {
  const before = answering(older);
  const after = answering(newer);
  const moved: Moved[] = [];
  const unread: { line: number; message: string }[] = [];
  let policies = 0;
  for await (const policy of book) {
    policies++;
    const { line } = policy;
    if (policy.message !== undefined) {
      unread.push({ line, message: policy.message });
      continue;
    }
    const { property } = policy;
    const [was, is] = [await before(property), await after(property)];
    for (const policyType of new Set([...was.keys(), ...is.keys()])) {
      const [a, b] = [was.get(policyType), is.get(policyType)];
      const statuses = { before: a?.status ?? 'not_offered', after: b?.status ?? 'not_offered' } as const;
      if (statuses.before === statuses.after) continue;
      const reasons = b && b.reasons.length > 0 ? b.reasons : (a?.reasons ?? []);
      moved.push({
        line,
        policyType,
        state: property.state,
        ...statuses,
        ruleIds: [...new Set(reasons.map(({ ruleId }) => ruleId))],
        codes: [...new Set(reasons.map(({ code }) => code))],
      });
    }
  }
  return { policies, moved, unread };
}

function answering(ruleSet: RuleSet): (property: Property) => Promise<ReadonlyMap<string, Verdict>> {
  const inForce: RuleSet = { ...ruleSet, effectiveFrom: '0000-01-01', effectiveUntil: undefined };
  const carrier: Carrier = {
    key: ruleSet.carrierKey,
    name: ruleSet.carrierName,
    versions: [{ ruleSet: inForce, source: 'catalog' }],
  };
  let catalog: Catalog | undefined;
  return async (property) => {
    catalog ??= catalogOf([carrier], { vocabulary: property.vocabulary });
    const { verdicts } = await catalog.decide(property);
    return new Map(verdicts.map((verdict) => [verdict.policyType, verdict]));
  };
}
