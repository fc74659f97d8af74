/** The answer for a home, from all of its completions. Reads rule files as docs/rule-format.md defines them, without the engine. */

export type Json = Record<string, unknown>;
/** An item of the list, with all fields. */
export interface Item {
  readonly kind: string;
  readonly size: number;
  readonly date: string;
}
/** A home with all fields. */
export type Complete = Readonly<Record<string, number | string | boolean | readonly Item[]>>;

interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly applies?: true | undefined;
  readonly words?: readonly string[] | undefined;
}

export interface Expected {
  readonly statuses: readonly string[];
  readonly requirements: readonly string[];
  readonly possibleRequirements: readonly string[];
  readonly notes: readonly string[];
  readonly tier: string | undefined;
  readonly terms: Readonly<Record<string, { readonly certain: Bounds; readonly possible: Bounds }>>;
}

export const EFFECTIVE_DATE = '2026-03-01';

/** Complete years, by counting anniversaries. */
function ageOf(date: string): number {
  let age = 0;
  for (let year = Number(date.slice(0, 4)) + 1; `${year}${date.slice(4)}` <= EFFECTIVE_DATE; year++) age++;
  return age;
}

function compare(operator: string, a: unknown, b: unknown): boolean {
  switch (operator) {
    case 'equal':
      return a === b;
    case 'notEqual':
      return a !== b;
    case 'in':
      return (b as unknown[]).includes(a);
    case 'notIn':
      return !(b as unknown[]).includes(a);
    case 'lessThan':
      return (a as number) < (b as number);
    case 'lessThanInclusive':
      return (a as number) <= (b as number);
    case 'greaterThan':
      return (a as number) > (b as number);
    default:
      return (a as number) >= (b as number);
  }
}

function itemMatches(where: Json, item: Item): boolean {
  if (where['all']) return (where['all'] as Json[]).every((each) => itemMatches(each, item));
  if (where['any']) return (where['any'] as Json[]).some((each) => itemMatches(each, item));
  if (where['not']) return !itemMatches(where['not'] as Json, item);
  const { fact, operator, value } = where as { fact: keyof Item | 'age_years'; operator: string; value: unknown };
  return compare(operator, fact === 'age_years' ? ageOf(item.date) : item[fact], value);
}

/** Largest size of an item, and its age. */
const largest: Readonly<Record<string, number>> = { size: 2, age_years: 300 };

function numberOf(source: unknown, home: Complete): number {
  if (typeof source === 'number') return source;
  const json = source as Json;
  if (typeof json['fact'] === 'string') return home[json['fact']] as number;
  const [apply] = Object.keys(json) as [string];
  if (typeof json[apply] === 'string') {
    const where = json['where'] as Json | undefined;
    const items = (home['things'] as readonly Item[]).filter((item) => !where || itemMatches(where, item));
    const field = json['of'] as 'size' | 'age_years';
    const numbers = items.map((item) => (field === 'age_years' ? ageOf(item.date) : item.size));
    if (apply === 'count') return items.length;
    if (apply === 'sum') return numbers.reduce((sum, each) => sum + each, 0);
    return apply === 'max' ? Math.max(-1, ...numbers) : Math.min(largest[field]! + 1, ...numbers);
  }
  const of = (json[apply] as unknown[]).map((each) => numberOf(each, home));
  if (apply === 'add') return of.reduce((a, b) => a + b);
  if (apply === 'subtract') return of[0]! - of[1]!;
  if (apply === 'multiply') return of.reduce((a, b) => a * b);
  if (apply === 'percent_of') return (of[0]! * of[1]!) / 100;
  return apply === 'min' ? Math.min(...of) : Math.max(...of);
}

function holds(condition: Json, home: Complete): boolean {
  if (condition['all']) return (condition['all'] as Json[]).every((each) => holds(each, home));
  if (condition['any']) return (condition['any'] as Json[]).some((each) => holds(each, home));
  if (condition['not']) return !holds(condition['not'] as Json, home);
  const { operator, value, ...left } = condition as { operator: string; value: unknown };
  const isConstant = typeof value !== 'object' || Array.isArray(value);
  const { fact } = left as { fact?: string };
  if (fact !== undefined && isConstant) return compare(operator, home[fact], value);
  return compare(operator, numberOf(left, home), isConstant ? value : numberOf(value, home));
}

interface Bound extends Bounds {
  readonly term: string;
  readonly words?: readonly string[] | undefined;
}

/** The bounds that an offer sets. */
function boundsOf(terms: Json, home: Complete): Bound[] {
  return Object.entries(terms).flatMap(([term, written]): Bound[] => {
    let value: unknown = written;
    if (typeof written === 'object' && written !== null && 'steps' in written) {
      const { by, steps } = written as { by: string; steps: { below?: number; value?: unknown }[] };
      const step = steps.find(({ below }) => below === undefined || (home[by] as number) < below);
      if (!step) return [];
      value = step.value ?? step;
    }
    if (value === true) return [{ term, applies: true }];
    if (typeof value === 'string' || Array.isArray(value)) return [{ term, words: [value].flat() as string[] }];
    const { min, max } = value as Bounds;
    return [{ term, ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }];
  });
}

interface Answer {
  readonly status: string;
  readonly tier: string | undefined;
  readonly held: readonly Json[];
  readonly bounds: readonly Bound[];
}

function contradicts(bounds: readonly Bound[]): boolean {
  return [...new Set(bounds.map(({ term }) => term))].some((name) => {
    const own = bounds.filter(({ term }) => term === name);
    const min = Math.max(...own.map((each) => each.min ?? Number.NEGATIVE_INFINITY));
    const max = Math.min(...own.map((each) => each.max ?? Number.POSITIVE_INFINITY));
    const lists = own.flatMap(({ words }) => (words ? [words] : []));
    return min > max || (lists.length > 0 && !lists[0]!.some((word) => lists.every((list) => list.includes(word))));
  });
}

const order = ['eligible', 'referral', 'ineligible'];

/** The answer for one completion: of the best tier with the best status; of the last tier if all decline. */
function answerOf(file: Json, home: Complete): Answer {
  const rankOf = (program: Json) => (program['tier'] as { rank: number } | undefined)?.rank ?? 0;
  const programs = (file['programs'] as Json[]).toSorted((a, b) => rankOf(a) - rankOf(b));
  const answers = programs.map((program): Answer => {
    const held = [...(file['rules'] as Json[]), ...((program['rules'] ?? []) as Json[])].filter((rule) =>
      holds((rule['when'] ?? { not: rule['unless'] }) as Json, home),
    );
    const bounds = held.flatMap(({ terms }) => (terms ? boundsOf(terms as Json, home) : []));
    const has = (outcome: string) => held.some((rule) => rule['outcome'] === outcome);
    const status = has('decline') ? 'ineligible' : has('refer') || contradicts(bounds) ? 'referral' : 'eligible';
    return { status, tier: program['tier'] ? (program['id'] as string) : undefined, held, bounds };
  });
  const best = order.find((status) => answers.some((each) => each.status === status))!;
  if (best === 'ineligible') return { ...answers.at(-1)!, tier: undefined };
  return answers.find(({ status }) => status === best)!;
}

/** @param completions All completions of the home. */
export function answerOfAll(
  file: Json,
  vocabulary: { readonly terms?: readonly { readonly name: string; readonly words?: readonly string[] }[] },
  completions: readonly Complete[],
): Expected {
  const all = completions.map((home) => answerOf(file, home));
  const rules = [
    ...(file['rules'] as Json[]),
    ...(file['programs'] as Json[]).flatMap(({ rules: own = [] }) => own as Json[]),
  ];
  const inAll = (rule: Json) => all.every(({ held }) => held.includes(rule));
  const inSome = (rule: Json) => all.some(({ held }) => held.includes(rule));
  const idsOf = (outcome: string, test: (rule: Json) => boolean) =>
    rules.flatMap((rule) => (rule['outcome'] === outcome && test(rule) ? [rule['id'] as string] : [])).sort();
  const tiers = new Set(all.map(({ tier }) => tier));
  const terms = (vocabulary.terms ?? []).flatMap(({ name, words = [] }) => {
    const term = termOf(
      all.map(({ bounds }) => bounds.filter((each) => each.term === name)),
      words,
    );
    return Object.keys(term.certain).length + Object.keys(term.possible).length === 0 ? [] : [[name, term] as const];
  });
  return {
    statuses: order.filter((status) => all.some((each) => each.status === status)),
    requirements: idsOf('require', inAll),
    possibleRequirements: idsOf('require', (rule) => inSome(rule) && !inAll(rule)),
    notes: idsOf('inform', inAll),
    tier: tiers.size === 1 ? [...tiers][0] : undefined,
    terms: Object.fromEntries(terms.sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function termOf(
  each: readonly (readonly Bound[])[],
  words: readonly string[],
): { readonly certain: Bounds; readonly possible: Bounds } {
  const certain: { min?: number; max?: number; applies?: true; words?: string[] } = {};
  const possible: typeof certain = {};
  for (const kind of ['min', 'max'] as const) {
    const strict = kind === 'min' ? Math.max : Math.min;
    const mild = kind === 'min' ? Math.min : Math.max;
    const values = each.map((bounds) => bounds.flatMap((bound) => bound[kind] ?? []));
    const bounded = values.filter((some) => some.length > 0).map((some) => strict(...some));
    if (bounded.length === 0) continue;
    if (bounded.length === values.length) certain[kind] = mild(...bounded);
    if (strict(...bounded) !== certain[kind]) possible[kind] = strict(...bounded);
  }
  const applies = each.map((bounds) => bounds.some((bound) => bound.applies));
  if (applies.every(Boolean)) certain.applies = true;
  else if (applies.some(Boolean)) possible.applies = true;
  const lacking = each.map((bounds) =>
    words.filter((word) => bounds.some((bound) => bound.words !== undefined && !bound.words.includes(word))),
  );
  const excluded = words.filter((word) => lacking.every((some) => some.includes(word)));
  const mayExclude = words.filter((word) => !excluded.includes(word) && lacking.some((some) => some.includes(word)));
  if (excluded.length > 0) certain.words = words.filter((word) => !excluded.includes(word)).sort();
  if (mayExclude.length > 0) possible.words = mayExclude.sort();
  return { certain, possible };
}
