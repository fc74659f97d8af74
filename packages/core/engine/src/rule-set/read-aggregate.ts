import type { Fault } from '@leeward/terms';
import { domainOfComputed } from '../condition/computed.ts';
import { nameOfComputed } from '../condition/computed-name.ts';
import type { Aggregate } from '../condition/condition.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { readCondition } from './check-condition.ts';
import { createExpansionMeasure } from './expansion.ts';

/** An aggregate that is not part of a rule. */
export interface NamedAggregate {
  readonly aggregate: Aggregate;
  /** Key in `Property.aggregates`. */
  readonly name: string;
  /** The numbers that it can have, both included. */
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
}

/** Reads a count, sum, minimum or maximum over a list as rules write it: `{ "count": "losses", "where": … }`. */
export function readAggregate(source: unknown, vocabulary: Vocabulary): NamedAggregate | { readonly faults: Fault[] } {
  const faults: Fault[] = [];
  const test = typeof source === 'object' && source !== null ? { ...source, operator: 'equal', value: 0 } : source;
  const tree = readCondition(test, '', {
    vocabulary,
    host: { facts: new Set(), operators: new Set() },
    allowPath: false,
    imported: false,
    shared: new Map(),
    sharedNames: [],
    expansionOf: createExpansionMeasure(),
    faults,
    warnings: [],
  });
  if (faults.length > 0) return { faults };
  const aggregate = tree.kind === 'leaf' ? tree.computed : undefined;
  if (aggregate?.kind !== 'aggregate' || aggregate.list.isFromHost) {
    const message = 'Give the count, sum, min or max of a list: { "count": "losses" }.';
    return { faults: [{ path: '', code: 'value_wrong_type', message }] };
  }
  const { min, max, integer } = domainOfComputed(aggregate, vocabulary, 2000);
  return { aggregate, name: nameOfComputed(aggregate), min, max, integer };
}
