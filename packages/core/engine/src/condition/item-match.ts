/**
 * Matching of one list item against the condition of an aggregate.
 *
 * An item may lack fields. Then every combination of the values that the condition distinguishes is tried: the words
 * that it names and one other word, numbers and dates at and next to its limits and at their own bounds. So the result
 * is exact. If there are too many combinations, the condition is evaluated test by test, which is sound but may leave
 * an item undecided that is not.
 */

import { between, isWithin, type Knowledge } from '../request/knowledge.ts';
import { NO, YES } from '../vocabulary/flag-field.ts';
import { itemVocabulary } from '../vocabulary/item-vocabulary.ts';
import type { ItemField, ListField, WrittenItem } from '../vocabulary/list-field.ts';
import { completeYears, daysOf, MAX_ITEM_AGE } from '../vocabulary/list-field.ts';
import { type Aggregate, forEachLeaf, sizeOfTree, type Tree } from './condition.ts';
import { treeTruth } from './tree-truth.ts';
import type { Truth } from './truth.ts';

/** Maximum number of tests that are evaluated for one item, and for an item of an unknown list, which is cached. */
const MAX_WORK_OF_ITEM = 256;
export const MAX_WORK = 2048;

/** An item with its fields on their axes: words, numbers, days. */
export type ItemKnowledge = Readonly<Record<string, Knowledge>>;

/** Result of matching one item. */
export interface ItemMatch {
  readonly truth: Truth;
  /** Range of the aggregated number over all ways in which the item matches. Undefined if it cannot match. */
  readonly range: { readonly min: number; readonly max: number } | undefined;
  /** False if something that is left open might be settled, or an end of the range is never reached. */
  readonly isExact: boolean;
}

const knownItems = new WeakMap<WrittenItem, ItemKnowledge>();

/** Converts an item from the form of a request. */
export function knowItem(list: ListField, written: WrittenItem): ItemKnowledge {
  let item = knownItems.get(written);
  if (!item) {
    item = convertItem(list, written);
    knownItems.set(written, item);
  }
  return item;
}

function convertItem(list: ListField, written: WrittenItem): ItemKnowledge {
  const item: Record<string, Knowledge> = {};
  for (const field of list.fields) {
    const value = written[field.name];
    if (value !== undefined) item[field.name] = knowValue(field, value);
  }
  return item;
}

function knowValue({ kind }: ItemField, value: string | number | boolean): Knowledge {
  if (kind === 'flag') return value === true ? YES : NO;
  if (kind !== 'date') return value as string | number;
  const days = daysOf(String(value));
  return days && between(days[0], days[1]);
}

/** Returns an item without fields but a date within some days. */
export function itemDated(date: string, first: number, last: number): ItemKnowledge {
  return { [date]: between(first, last) };
}

/**
 * Tests one item of a list against the condition of an aggregate. Fields that the item lacks are unknown.
 *
 * @param effectiveDate `YYYY-MM-DD`; ages of items depend on it.
 * @param maxWork Maximum number of tested combinations of unknown fields; the result is inexact beyond it.
 */
export function matchItem(
  aggregate: Aggregate,
  item: ItemKnowledge,
  effectiveDate: string,
  maxWork = MAX_WORK_OF_ITEM,
): ItemMatch {
  const plan = planOf(aggregate);
  const domains = domainsOf(aggregate.list);
  const knowledge = new Map<string, Knowledge>();
  for (const name of plan.fields) knowledge.set(name, item[name] ?? plan.domainOf(name) ?? domains.get(name));
  const loose = plan.fields.filter((name) => isWithin(knowledge.get(name)));
  const facts = new Map<string, unknown>();
  const setFact = (name: string, value: Knowledge) => {
    const { axisFact, age } = plan.facts.get(name)!;
    facts.set(axisFact, value);
    if (age !== undefined) facts.set(age, ageOf(value, effectiveDate));
  };
  for (const [name, value] of knowledge) setFact(name, value);
  const truthHere = (): Truth => (aggregate.where ? treeTruth(aggregate.where, facts) : 'true');
  const own = aggregate.field;
  const numberHere = (): Knowledge => (own === undefined ? 0 : (facts.get(own) as Knowledge));
  const choices = loose.map((name) => choicesOf(name, knowledge.get(name)!, plan, effectiveDate));
  const combinations = choices.reduce((product, each) => product * each.length, 1);
  if (combinations * plan.size > maxWork) {
    const truth = truthHere();
    return { truth, range: truth === 'false' ? undefined : rangeOf(numberHere()), isExact: truth === 'false' };
  }
  let holds = false;
  let fails = false;
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  // A decimal stands for all numbers between two limits.
  const isOwnDecimal = own !== undefined && plan.decimals.has(own) && loose.includes(own);
  let isExact = true;
  for (let combination = 0; combination < combinations; combination++) {
    let rest = combination;
    loose.forEach((name, index) => {
      const values = choices[index]!;
      setFact(name, values[rest % values.length]!);
      rest = Math.floor(rest / values.length);
    });
    if (truthHere() !== 'true') {
      fails = true;
      continue;
    }
    holds = true;
    const range = isOwnDecimal ? spanOf(own, numberHere() as number, knowledge.get(own)!, plan) : rangeOf(numberHere());
    if (isOwnDecimal && range.min !== range.max && (range.min < min || range.max > max)) isExact = false;
    min = Math.min(min, range.min);
    max = Math.max(max, range.max);
  }
  const truth: Truth = !holds ? 'false' : fails ? 'undecided' : 'true';
  return { truth, range: holds ? { min, max } : undefined, isExact };
}

/** The numbers that a condition does not distinguish from a decimal: the number itself if it is a limit. */
function spanOf(name: string, value: number, knowledge: Knowledge, { constants }: Plan): { min: number; max: number } {
  const { min, max } = rangeOf(knowledge);
  const limits = [min, max, ...(constants.get(name) ?? []).filter((each) => typeof each === 'number')];
  if (limits.includes(value)) return { min: value, max: value };
  return {
    min: Math.max(...limits.filter((each) => each < value)),
    max: Math.min(...limits.filter((each) => each > value)),
  };
}

/** Returns an item with all tested fields that matches, or fails to match; undefined if the search fails. */
export function findItem(
  aggregate: Aggregate,
  isMatch: boolean,
  number: number | undefined,
  effectiveDate: string,
): WrittenItem | undefined {
  const plan = planOf(aggregate);
  const domains = domainsOf(aggregate.list);
  const choices = plan.fields.map((name) => {
    const { age } = plan.facts.get(name)!;
    const limits = number !== undefined && (age === aggregate.field || name === aggregate.field) ? [number] : [];
    return choicesOf(name, plan.domainOf(name) ?? domains.get(name)!, plan, effectiveDate, limits);
  });
  const combinations = choices.reduce((product, each) => product * each.length, 1);
  for (let combination = 0; combination < Math.min(combinations, MAX_WORK); combination++) {
    let rest = combination;
    const item: Record<string, Knowledge> = {};
    plan.fields.forEach((name, index) => {
      const values = choices[index]!;
      item[name] = values[rest % values.length]!;
      rest = Math.floor(rest / values.length);
    });
    const { truth, range } = matchItem(aggregate, item, effectiveDate);
    if ((truth === 'true') !== isMatch) continue;
    if (number !== undefined && range !== undefined && (range.min !== number || range.max !== number)) continue;
    return writeItem(aggregate.list, item);
  }
  return undefined;
}

function writeItem({ fields }: ListField, item: ItemKnowledge): WrittenItem {
  const written: Record<string, string | number | boolean> = {};
  for (const { name, kind } of fields) {
    const value = item[name];
    if (value === undefined || typeof value === 'object') continue;
    if (kind === 'flag') written[name] = value === YES;
    else written[name] = kind === 'date' ? new Date((value as number) * 86_400_000).toISOString().slice(0, 10) : value;
  }
  return written;
}

function rangeOf(knowledge: Knowledge): { readonly min: number; readonly max: number } {
  if (typeof knowledge === 'number') return { min: knowledge, max: knowledge };
  const { min, max } = knowledge as { min: number; max: number };
  return { min, max };
}

function ageOf(value: Knowledge, effectiveDate: string): Knowledge {
  if (typeof value === 'number') return Math.min(MAX_ITEM_AGE, completeYears(value, effectiveDate));
  const { min, max } = rangeOf(value);
  return between(
    Math.min(MAX_ITEM_AGE, completeYears(max, effectiveDate)),
    Math.min(MAX_ITEM_AGE, completeYears(min, effectiveDate)),
  );
}

/** Fields and constants that the condition of an aggregate distinguishes. */
export interface Plan {
  /** Item fields that the condition tests or the aggregate reads. */
  readonly fields: readonly string[];
  readonly facts: ReadonlyMap<string, { readonly axisFact: string; readonly age: string | undefined }>;
  /** Constants by fact. */
  readonly constants: ReadonlyMap<string, readonly unknown[]>;
  /** Names of the fields whose numbers may have a fraction. */
  readonly decimals: ReadonlySet<string>;
  /** The words of an open field, with those that the condition names; undefined for other fields. */
  readonly domainOf: (name: string) => Knowledge;
  /** Number of nodes of the condition. */
  readonly size: number;
}

const plans = new WeakMap<Aggregate, Plan>();

export function planOf(aggregate: Aggregate): Plan {
  let plan = plans.get(aggregate);
  if (!plan) {
    plan = createPlan(aggregate);
    plans.set(aggregate, plan);
  }
  return plan;
}

function createPlan({ list, where, field }: Aggregate): Plan {
  const constants = new Map<string, unknown[]>();
  if (field !== undefined) constants.set(field, []);
  const visit = (tree: Tree) =>
    forEachLeaf(tree, (leaf) => {
      const values = constants.get(leaf.fact) ?? [];
      constants.set(leaf.fact, values);
      values.push(...[leaf.value].flat(4));
    });
  if (where) visit(where);
  const facts = new Map<string, { axisFact: string; age: string | undefined }>();
  for (const each of list.fields) {
    const axisFact = each.kind === 'flag' || each.kind === 'date' ? `${each.name}:axis` : each.name;
    const age = each.kind === 'date' ? each.age : undefined;
    if (constants.has(axisFact) || (age !== undefined && constants.has(age))) facts.set(each.name, { axisFact, age });
  }
  const open = new Map(
    list.fields.flatMap((each): [string, Knowledge][] => {
      if (each.kind !== 'word' || !each.isOpen) return [];
      const named = (constants.get(each.name) ?? []).filter((word) => typeof word === 'string');
      return [[each.name, { kind: 'one of', words: [...new Set([...each.words, ...named])] }]];
    }),
  );
  return {
    fields: [...facts.keys()],
    facts,
    constants,
    decimals: new Set(list.fields.flatMap((each) => (each.kind === 'number' && each.isDecimal ? [each.name] : []))),
    domainOf: (name) => open.get(name),
    size: where ? sizeOfTree(where) : 1,
  };
}

const domains = new WeakMap<ListField, ReadonlyMap<string, Knowledge>>();

/** Returns the domain of each field, as knowledge. */
function domainsOf(list: ListField): ReadonlyMap<string, Knowledge> {
  let result = domains.get(list);
  if (!result) {
    result = new Map(
      itemVocabulary(list).fields.map((field): [string, Knowledge] => {
        const domain = field.domain({ effectiveYear: 2000 });
        if (domain.kind === 'numbers') return [field.name, between(domain.min, domain.max)];
        return [field.name, domain.words.length === 1 ? domain.words[0] : { kind: 'one of', words: domain.words }];
      }),
    );
    domains.set(list, result);
  }
  return result;
}

/** Returns values of a field, at least one for each result of the condition. */
function choicesOf(
  name: string,
  knowledge: Knowledge,
  { facts, constants, decimals }: Plan,
  effectiveDate: string,
  more: readonly number[] = [],
): readonly (string | number)[] {
  if (!isWithin(knowledge)) return [knowledge as string | number];
  const { axisFact, age } = facts.get(name)!;
  const limits = constants.get(axisFact) ?? [];
  if (knowledge.kind === 'one of') {
    const named = knowledge.words.filter((word) => limits.includes(word));
    const other = knowledge.words.find((word) => !limits.includes(word));
    return other === undefined ? named : [...named, other];
  }
  const { min, max } = knowledge;
  const values = new Set<number>([min, max]);
  const add = (value: number) => {
    if (value >= min && value <= max) values.add(value);
  };
  const addAround = (value: number, before: number, after: number) => {
    for (let each = Math.floor(value) - before; each <= Math.ceil(value) + after; each++) add(each);
  };
  if (decimals.has(name)) {
    const cuts = [
      min,
      max,
      ...[...limits, ...more].filter((each) => typeof each === 'number' && each > min && each < max),
    ];
    const sorted = [...new Set(cuts as number[])].sort((a, b) => a - b);
    for (const [index, cut] of sorted.entries()) {
      values.add(cut);
      if (index > 0) values.add((sorted[index - 1]! + cut) / 2);
    }
    return [...values];
  }
  for (const limit of age === undefined ? [...limits, ...more] : limits) {
    if (typeof limit === 'number') addAround(limit, 1, 1);
  }
  if (age !== undefined) {
    const [year, month, day] = [effectiveDate.slice(0, 4), effectiveDate.slice(5, 7), effectiveDate.slice(8)].map(
      Number,
    ) as [number, number, number];
    for (const limit of [...(constants.get(age) ?? []), ...more]) {
      if (typeof limit !== 'number' || Math.abs(limit) > MAX_ITEM_AGE + 1) continue;
      // The days around the anniversaries next to the limit, on which the age changes.
      for (const years of [Math.floor(limit), Math.floor(limit) + 1, Math.ceil(limit) + 1]) {
        addAround(Date.UTC(year - years, month - 1, day) / 86_400_000, 1, 2);
      }
    }
  }
  return [...values];
}
