import { countyByFips } from '@leeward/places/counties';
import { forEachLeaf, type Tree } from '../condition/condition.ts';
import { type Fault, pointer, quoteValue, type Warning } from '../fault.ts';
import { arrayOf, exceedsDepth, isObject, own } from '../json.ts';
import { didYouMean } from '../suggest.ts';
import { homeVocabulary } from '../vocabulary/home.ts';
import type { Vocabulary } from '../vocabulary/vocabulary.ts';
import { sha256OfJson } from './canonical.ts';
import { type HostNames, readSharedConditions } from './check-condition.ts';
import { fipsCovered, readPlaces } from './places.ts';
import { messageFaults, readRule } from './read-rule.ts';
import type { Moratorium, Program, Rule, RuleSet } from './rule-set.ts';
import { ruleSetSchema } from './schema.ts';
import { shapeFaults } from './shape-faults.ts';

const DEEPEST = 64;
const LARGEST_EXPANSION = 20_000;

export interface CheckOptions {
  readonly vocabulary?: Vocabulary;
  /** Names of a host's own facts and operators. */
  readonly host?: Partial<HostNames>;
  /** A file from a stranger: no `path`, no host names, at most 500 rules and 256 KiB. */
  readonly fromStranger?: boolean;
}

export interface CheckedRuleSet {
  /** Present when there are no faults. */
  readonly ruleSet?: RuleSet;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Warning[];
}

const none: ReadonlySet<string> = new Set();

/** Checks a rule set as JSON has it and makes it ready to be judged. All faults at once; throws nothing. */
export function checkRuleSet(file: unknown, options: CheckOptions = {}): CheckedRuleSet {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  if (!isObject(file)) {
    const hint = Array.isArray(file) ? ' A plain list of rules can be imported first.' : '';
    return refused('', 'not_a_rule_set', `A rule set is a JSON object; this is ${quoteValue(file)}.${hint}`);
  }
  if (exceedsDepth(file, DEEPEST)) return refused('', 'too_deep', `The file nests deeper than ${DEEPEST} levels.`);
  const stranger = options.fromStranger === true;
  const host: HostNames = {
    facts: stranger ? none : (options.host?.facts ?? none),
    operators: stranger ? none : (options.host?.operators ?? none),
  };
  const faults: Fault[] = [];
  const warnings: Warning[] = [];
  if (stranger) faults.push(...strangerFaults(file));
  const shape = ruleSetSchema.safeParse(file);
  if (!shape.success) faults.push(...shapeFaults(shape.error.issues, file));

  const base = { vocabulary, host, allowPath: !stranger, faults, warnings };
  const shared = readSharedConditions(own(file, 'conditions'), '/conditions', base);
  const condition = {
    ...base,
    shared,
    sharedNames: Object.keys(isObject(file['conditions']) ? file['conditions'] : {}),
  };
  const eventOutcomes = isObject(own(file, 'outcomes')) ? (file['outcomes'] as Record<string, unknown>) : {};
  let number = 0;
  const readRules = (source: unknown, path: string): Rule[] =>
    arrayOf(source)
      .map((rule, index) => readRule(rule, `${path}/${index}`, { condition, eventOutcomes, number: ++number }))
      .filter((rule) => rule !== undefined);

  const line = own(file, 'line') ?? 'home';
  if (typeof line === 'string' && line !== vocabulary.line) {
    const message = `${quoteValue(line)} is not a line of business here; there is "${vocabulary.line}".`;
    faults.push({ path: '/line', code: 'unknown_line', message });
  }
  const rules = readRules(own(file, 'rules'), '/rules');
  const programs = arrayOf(own(file, 'programs')).map((source, index) => {
    const path = `/programs/${index}`;
    if (!isObject(source)) return undefined;
    const program: Program = {
      id: String(source['id']),
      policyTypes: readPolicyTypes(source, path, vocabulary, faults) ?? [],
      places: readPlaces(source, path, faults),
      rules: readRules(own(source, 'rules'), `${path}/rules`),
    };
    return program;
  });
  const moratoria = arrayOf(own(file, 'moratoria')).map((source, index) => {
    const path = `/moratoria/${index}`;
    return isObject(source) ? readMoratorium(source, path, vocabulary, faults) : undefined;
  });
  const written = programs.filter((program) => program !== undefined);
  faults.push(...duplicateIds(file), ...effectiveFaults(file), ...overlaps(programs));
  warnings.push(...unwrittenMoratoria(moratoria, written));
  if (stranger)
    for (const rule of [...rules, ...written.flatMap((program) => program.rules)])
      faults.push(...expansionFaults(rule));

  if (faults.length > 0 || !shape.success) return { faults: unique(faults), warnings };
  let sha256: string;
  try {
    sha256 = sha256OfJson(file);
  } catch (error) {
    return refused('', 'invalid_value', `The file holds what JSON cannot carry: ${(error as Error).message}.`);
  }
  const { carrier, version, effective } = shape.data;
  const ruleSet: RuleSet = {
    carrierKey: carrier.key,
    carrierName: carrier.name,
    line: vocabulary.line,
    version,
    effectiveFrom: effective.from,
    effectiveUntil: effective.until ?? undefined,
    rules,
    programs: written,
    moratoria: moratoria.filter((moratorium) => moratorium !== undefined),
    sha256,
    file,
  };
  return { ruleSet, faults: [], warnings };
}

function refused(path: string, code: string, message: string): CheckedRuleSet {
  return { faults: [{ path, code, message }], warnings: [] };
}

function readPolicyTypes(
  source: Record<string, unknown>,
  path: string,
  vocabulary: Vocabulary,
  faults: Fault[],
): string[] | undefined {
  if (!Object.hasOwn(source, 'policy_types')) return undefined;
  const known: string[] = [];
  arrayOf(source['policy_types']).forEach((text, index) => {
    if (typeof text !== 'string') return;
    if (vocabulary.policyTypes.includes(text)) known.push(text);
    else {
      const message = `${quoteValue(text)} is no policy type; there are: ${vocabulary.policyTypes.join(', ')}.${didYouMean(text, vocabulary.policyTypes)}`;
      faults.push({ path: `${path}/policy_types/${index}`, code: 'unknown_policy_type', message });
    }
  });
  return known;
}

function readMoratorium(
  source: Record<string, unknown>,
  path: string,
  vocabulary: Vocabulary,
  faults: Fault[],
): Moratorium {
  const fromMs = Date.parse(String(source['from']));
  const until = own(source, 'until');
  const untilMs = typeof until === 'string' ? Date.parse(until) : Number.POSITIVE_INFINITY;
  if (untilMs <= fromMs) {
    const message = `until (${quoteValue(until)}) must come after from (${quoteValue(source['from'])}).`;
    faults.push({ path: `${path}/until`, code: 'empty_window', message });
  }
  const { message } = source;
  if (typeof message === 'string') faults.push(...messageFaults(message, `${path}/message`, vocabulary, none));
  return {
    id: String(source['id']),
    fromMs,
    untilMs,
    places: readPlaces(source, path, faults),
    policyTypes: readPolicyTypes(source, path, vocabulary, faults),
    message: String(message),
  };
}

function effectiveFaults(file: Record<string, unknown>): Fault[] {
  const effective = own(file, 'effective');
  if (!isObject(effective)) return [];
  const { from, until } = effective;
  if (typeof from !== 'string' || typeof until !== 'string' || until > from) return [];
  const message = `until (${quoteValue(until)}) must come after from (${quoteValue(from)}).`;
  return [{ path: '/effective/until', code: 'empty_window', message }];
}

/** Ids of rules, programs and moratoria: each kind unique in the file. */
function duplicateIds(file: Record<string, unknown>): Fault[] {
  const faults: Fault[] = [];
  const check = (kind: string) => {
    const seen = new Map<string, string>();
    return (entry: unknown, path: string, key: string) => {
      const id = isObject(entry) ? own(entry, key) : undefined;
      if (typeof id !== 'string') return;
      const first = seen.get(id);
      if (first === undefined) seen.set(id, path);
      else {
        const message = `The ${kind} id ${quoteValue(id)} is used at ${first} already; give this one another.`;
        faults.push({ path: `${path}/${key}`, code: 'duplicate_id', message });
      }
    };
  };
  const rule = check('rule');
  const readRules = (source: unknown, path: string) => {
    arrayOf(source).forEach((entry, index) => {
      const imported = isObject(entry) && (Object.hasOwn(entry, 'event') || Object.hasOwn(entry, 'conditions'));
      rule(entry, `${path}/${index}`, imported ? 'name' : 'id');
    });
  };
  readRules(own(file, 'rules'), '/rules');
  const program = check('program');
  arrayOf(own(file, 'programs')).forEach((entry, index) => {
    program(entry, `/programs/${index}`, 'id');
    if (isObject(entry)) readRules(own(entry, 'rules'), `/programs/${index}/rules`);
  });
  const moratorium = check('moratorium');
  arrayOf(own(file, 'moratoria')).forEach((entry, index) => {
    moratorium(entry, `/moratoria/${index}`, 'id');
  });
  return faults;
}

/** For one policy type and county at most one program may fit: a carrier has one answer. */
function overlaps(programs: readonly (Program | undefined)[]): Fault[] {
  const faults: Fault[] = [];
  const owners = new Map<string, Program>();
  programs.forEach((program, index) => {
    if (!program) return;
    const before = firstOverlap(program, owners);
    if (!before) return;
    const message = `The programs "${before.owner.id}" and "${program.id}" both answer ${before.where}; narrow one of them.`;
    faults.push({ path: `/programs/${index}`, code: 'program_overlap', message });
  });
  return faults;
}

/** Claims every policy type and county of a program; the first that another program has claimed already. */
function firstOverlap(program: Program, owners: Map<string, Program>): { owner: Program; where: string } | undefined {
  let first: { owner: Program; where: string } | undefined;
  for (const state of new Set(program.places.states)) {
    const covered = fipsCovered(program.places, state);
    for (const policyType of new Set(program.policyTypes)) {
      for (const fips of covered) {
        const key = `${fips} ${policyType}`;
        const owner = owners.get(key);
        if (owner === undefined) owners.set(key, program);
        else first ??= { owner, where: `${policyType} in ${countyByFips(fips)?.label ?? fips}, ${state}` };
      }
    }
  }
  return first;
}

/** A moratorium on what the carrier does not write changes nothing: worth a word. */
function unwrittenMoratoria(moratoria: readonly (Moratorium | undefined)[], programs: readonly Program[]): Warning[] {
  const warnings: Warning[] = [];
  moratoria.forEach((moratorium, index) => {
    if (!moratorium) return;
    for (const state of moratorium.places.states ?? []) {
      if (programs.some((program) => program.places.states?.includes(state))) continue;
      const message = `The moratorium "${moratorium.id}" names ${state}, where no program is offered.`;
      warnings.push({ path: `/moratoria/${index}/states`, code: 'not_written', message });
    }
    for (const policyType of moratorium.policyTypes ?? []) {
      if (programs.some((program) => program.policyTypes.includes(policyType))) continue;
      const message = `The moratorium "${moratorium.id}" names ${policyType}, which no program offers.`;
      warnings.push({ path: `/moratoria/${index}/policy_types`, code: 'not_written', message });
    }
  });
  return warnings;
}

function strangerFaults(file: Record<string, unknown>): Fault[] {
  const faults: Fault[] = [];
  const count = [file, ...arrayOf(own(file, 'programs'))].reduce<number>(
    (sum, owner) => sum + (isObject(owner) ? arrayOf(own(owner, 'rules')).length : 0),
    0,
  );
  if (count > 500)
    faults.push({ path: '', code: 'too_many_rules', message: `${count} rules; at most 500 are accepted.` });
  const bytes = new TextEncoder().encode(JSON.stringify(file)).length;
  if (bytes > 256 * 1024) {
    faults.push({ path: '', code: 'too_large', message: `${bytes} bytes; at most ${256 * 1024} are accepted.` });
  }
  return faults;
}

/** How many tests a tree has once shared conditions are written out. */
export function expandedSize(tree: Tree, sizes = new Map<Tree, number>()): number {
  const known = sizes.get(tree);
  if (known !== undefined) return known;
  let size = 1;
  if (tree.kind === 'not') size = expandedSize(tree.of, sizes);
  else if (tree.kind !== 'leaf') size = tree.of.reduce((sum, child) => sum + expandedSize(child, sizes), 1);
  sizes.set(tree, size);
  return size;
}

function expansionFaults(rule: Rule): Fault[] {
  const size = expandedSize(rule.condition);
  if (size <= LARGEST_EXPANSION) return [];
  const message = `The rule "${rule.id}" has ${size} tests once its shared conditions are written out; at most ${LARGEST_EXPANSION} are accepted.`;
  return [{ path: rule.path, code: 'expansion_too_large', message }];
}

function unique(faults: readonly Fault[]): Fault[] {
  const seen = new Set<string>();
  return faults.filter((fault) => {
    const key = pointer(fault.path, fault.code, fault.message);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Visits every test of every rule of a set. */
export function forEachRuleLeaf(ruleSet: RuleSet, visit: Parameters<typeof forEachLeaf>[1]): void {
  const seen = new Set<Tree>();
  for (const rule of [...ruleSet.rules, ...ruleSet.programs.flatMap((program) => program.rules)]) {
    forEachLeaf(rule.condition, visit, seen);
  }
}
