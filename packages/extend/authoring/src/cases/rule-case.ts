import { parseRequest, type Status, type UnderwritingRequest, type Vocabulary } from '@leeward/engine';
import { statuses } from '@leeward/engine/compiled';
import { type HazardEvent, parseHazardEvents } from '@leeward/engine/events';
import type { Fault } from '@leeward/terms';
import { didYouMean, isObject, own, pointer, quoteValue } from '@leeward/terms';
import type { SavedAnswer } from '../replay/saved-answer.ts';

/** An entry of `cases.json`: a home and the expected answer. */
export interface RuleCase {
  readonly note: string;
  readonly policyType: string;
  readonly request: UnderwritingRequest;
  readonly expect: {
    readonly status: Status;
    readonly codes: readonly string[] | undefined;
    readonly missingFields: readonly string[] | undefined;
    /** Certain terms by name. @default not compared */
    readonly terms: SavedAnswer['terms'];
    /** Program id of the tier; null for no tier. @default not compared */
    readonly tier: string | null | undefined;
  };
  /** JSON Pointer into the file of cases. */
  readonly path: string;
}

const keys = ['note', 'as_of', 'effective_date', 'events', 'home', 'policy_type', 'expect', '$comment'];
const expectKeys = ['status', 'codes', 'missing_fields', 'terms', 'tier'];

/**
 * Reads a file of cases. Returns all faults at once.
 *
 * @param file Content of `cases.json`.
 * @example
 * const { cases, faults } = readCases(JSON.parse(text), homeVocabulary);
 */
export function readCases(
  file: unknown,
  vocabulary: Vocabulary,
): { readonly cases: readonly RuleCase[]; readonly faults: readonly Fault[] } {
  if (!Array.isArray(file)) {
    const message = `Cases are a JSON list; this is ${quoteValue(file)}.`;
    return { cases: [], faults: [{ path: '', code: 'not_a_list_of_cases', message }] };
  }
  const cases: RuleCase[] = [];
  const faults: Fault[] = [];
  file.forEach((entry: unknown, index) => {
    const before = faults.length;
    const ruleCase = readCase(entry, `/${index}`, vocabulary, faults);
    if (ruleCase && faults.length === before) cases.push(ruleCase);
  });
  return { cases, faults };
}

function readCase(entry: unknown, path: string, vocabulary: Vocabulary, faults: Fault[]): RuleCase | undefined {
  const add = (at: string, code: string, message: string) => void faults.push({ path: `${path}${at}`, code, message });
  if (!isObject(entry)) {
    add('', 'invalid_type', `A case is an object with home, policy_type and expect; this is ${quoteValue(entry)}.`);
    return undefined;
  }
  for (const key of Object.keys(entry)) {
    if (!keys.includes(key)) {
      add(pointer(key), 'unknown_key', `${quoteValue(key)} is not a key of a case.${didYouMean(key, keys)}`);
    }
  }
  // Without both dates the answer to a case would change over time.
  for (const key of ['as_of', 'effective_date', 'policy_type', 'home', 'expect']) {
    if (!Object.hasOwn(entry, key)) add('', 'missing_key', `This case has no ${key}.`);
  }
  const home = own(entry, 'home');
  const expect = readExpect(own(entry, 'expect'), path, faults);
  if (!isObject(home)) {
    if (home !== undefined) {
      add('/home', 'invalid_type', `home is ${quoteValue(home)}; give a home in the form of a request.`);
    }
    return undefined;
  }
  const dates = { as_of: own(entry, 'as_of'), effective_date: own(entry, 'effective_date') };
  const policyType = own(entry, 'policy_type');
  const parsed = parseRequest({ ...home, ...dates, policy_type: policyType }, { now: new Date(0), vocabulary });
  if (!parsed.ok) {
    for (const fault of parsed.faults) {
      const isOfCase = ['/as_of', '/effective_date', '/policy_type'].includes(fault.path);
      add(`${isOfCase ? '' : '/home'}${fault.path}`, fault.code, fault.message);
    }
    return undefined;
  }
  const type = parsed.request.property.policyType;
  if (type === undefined) {
    if (policyType !== undefined) add('/policy_type', 'missing_key', 'A case needs one policy type.');
    return undefined;
  }
  const events = readEvents(own(entry, 'events'), `${path}/events`, faults);
  if (!expect) return undefined;
  const note = own(entry, 'note');
  return {
    note: typeof note === 'string' ? note : '',
    policyType: type,
    request: events ? { ...parsed.request, property: { ...parsed.request.property, events } } : parsed.request,
    expect,
    path,
  };
}

/** Undefined without events: they are then unknown. */
function readEvents(events: unknown, path: string, faults: Fault[]): readonly HazardEvent[] | undefined {
  if (events === undefined) return undefined;
  const parsed = parseHazardEvents(events);
  if (parsed.ok) return parsed.events;
  faults.push(...parsed.faults.map((fault) => ({ ...fault, path: `${path}${fault.path}` })));
  return undefined;
}

function readExpect(expect: unknown, casePath: string, faults: Fault[]): RuleCase['expect'] | undefined {
  const path = `${casePath}/expect`;
  if (expect === undefined) return undefined;
  if (!isObject(expect)) {
    const message = `expect is ${quoteValue(expect)}; give { "status", "codes" }.`;
    faults.push({ path, code: 'invalid_type', message });
    return undefined;
  }
  for (const key of Object.keys(expect)) {
    if (expectKeys.includes(key)) continue;
    const message = `${quoteValue(key)} is not a key of expect. The keys are: ${expectKeys.join(', ')}.${didYouMean(key, expectKeys)}`;
    faults.push({ path: `${path}${pointer(key)}`, code: 'unknown_key', message });
  }
  const text = own(expect, 'status');
  const status = statuses.find((each) => each === text);
  if (status === undefined) {
    const hint = typeof text === 'string' ? didYouMean(text, statuses) : '';
    const message = `The status is ${quoteValue(text)}; give one of: ${statuses.join(', ')}.${hint}`;
    faults.push({ path: text === undefined ? path : `${path}/status`, code: 'unknown_status', message });
  }
  const texts = (key: string): readonly string[] | undefined => {
    const value = own(expect, key);
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value as string[];
    faults.push({
      path: `${path}/${key}`,
      code: 'invalid_type',
      message: `${quoteValue(value)} should be a list of texts.`,
    });
    return undefined;
  };
  const codes = texts('codes');
  const missingFields = texts('missing_fields');
  const terms = readTerms(own(expect, 'terms'), `${path}/terms`, faults);
  const tier = own(expect, 'tier');
  if (tier !== undefined && tier !== null && typeof tier !== 'string') {
    const message = `${quoteValue(tier)} should be the id of a program that is a tier, or null for no tier.`;
    faults.push({ path: `${path}/tier`, code: 'invalid_type', message });
  }
  return status === undefined ? undefined : { status, codes, missingFields, terms, tier: tier as string | null };
}

const termKeys = ['min', 'max', 'one_of', 'applies'];

/** Reads expected terms: `{ "named_storm_deductible_percent": { "min": 5 } }`. */
function readTerms(terms: unknown, path: string, faults: Fault[]): SavedAnswer['terms'] {
  if (terms === undefined) return undefined;
  const isRead =
    isObject(terms) &&
    Object.values(terms).every((term) => isObject(term) && Object.keys(term).every((key) => termKeys.includes(key)));
  if (isRead) return terms as NonNullable<SavedAnswer['terms']>;
  const message = `${quoteValue(terms)} should be terms by name, each with ${termKeys.join(', ')}: { "roof_settlement": { "one_of": ["actual cash value"] } }.`;
  faults.push({ path, code: 'invalid_type', message });
  return undefined;
}
