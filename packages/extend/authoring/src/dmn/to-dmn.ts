/**
 * A rule set as DMN 1.4 decision tables.
 *
 * Input data are the facts of a complete home, by name. Decisions: `program`, the program that covers the home; one table of
 * rules for each outcome, which collects the rules that hold; and `status` and `reasons`. The decision service `decide` has all
 * of them. A rule becomes one row for each conjunction of its tests. A part that DMN cannot express is named in `omitted`.
 */
import type { RuleSet, Vocabulary } from '@leeward/engine';
import {
  factIndex,
  forEachLeaf,
  outcomes,
  type Program,
  sourcesOf,
  valueFact,
  writtenRules,
} from '@leeward/engine/compiled';
import { type Row, rowsOf } from './conjunctions.ts';
import { type DmnType, textOf, typeOfFact } from './feel.ts';
import { type Element, writeXml } from './xml.ts';

/** A rule set in DMN, and the parts that are not in it. */
export interface DmnExport {
  /** The DMN document. It depends on the rule set only. */
  readonly xml: string;
  readonly omitted: {
    /** Effective dates, as written. */
    readonly effective: { readonly from: string; readonly until: string | null };
    /** Ids of moratoria: they depend on the time of the question. */
    readonly moratoria: readonly string[];
    /** Rules that a decision table cannot express. The status does not count them. */
    readonly rules: readonly { readonly id: string; readonly reason: string }[];
    /** Ids of offers. The table names those that hold, without their terms. */
    readonly terms: readonly string[];
    /** Offers that contradict each other in some homes, which are then referrals. The status does not count this. */
    readonly contradictions: readonly { readonly offers: readonly string[]; readonly message: string }[];
    /** Programs that are tiers, best first. Give each as the input `tier`, and take the best status. */
    readonly tiers: readonly string[];
  };
}

const MODEL = 'https://www.omg.org/spec/DMN/20211108/MODEL/';

/**
 * Converts a rule set to DMN 1.4 decision tables.
 *
 * @param vocabulary The line of the rule set.
 * @throws {RangeError} If the vocabulary is of another line.
 * @example
 *  const { xml, omitted } = toDmn(ruleSet, homeVocabulary);
 */
export function toDmn(ruleSet: RuleSet, vocabulary: Vocabulary): DmnExport {
  if (ruleSet.line !== vocabulary.line) {
    throw new RangeError(`The rule set is of the line "${ruleSet.line}", the vocabulary of "${vocabulary.line}".`);
  }
  const omittedRules: { id: string; reason: string }[] = [];
  const facts = new Set<string>(['policy_type', 'state', 'county']);
  const tables = outcomes.map((outcome) => {
    const rules = [
      ...writtenRules(ruleSet.rules).map((rule) => ({ rule, programs: ruleSet.programs })),
      ...ruleSet.programs.flatMap((program) =>
        writtenRules(program.rules).map((rule) => ({ rule, programs: [program] })),
      ),
    ].filter(({ rule }) => rule.outcome === outcome);
    rules.sort((a, b) => b.rule.priority - a.rule.priority);
    const rows: TableRow[] = [];
    for (const { rule, programs } of rules) {
      const own = rowsOf(rule.condition, vocabulary);
      if (typeof own === 'string') {
        omittedRules.push({ id: rule.id, reason: own });
        continue;
      }
      for (const name of factsOfRule(rule.condition)) facts.add(name);
      const program = programs.map(({ id }) => textOf(id)).join(', ');
      const outputs = [rule.id, rule.code, rule.message].map(textOf);
      for (const row of own) rows.push({ program, row, outputs });
    }
    return { outcome, rows };
  });
  const tiers = ruleSet.programs.filter(({ tier }) => tier).sort((a, b) => a.tier!.rank - b.tier!.rank);
  if (tiers.length > 0) facts.add('tier');
  const names = [...facts].sort();
  const decisions = [
    offeredDecision(ruleSet.programs),
    programDecision(ruleSet.programs, tiers.length > 0),
    ...tables.map(({ outcome, rows }) => rulesDecision(outcome, rows, vocabulary)),
    statusDecision(),
    reasonsDecision(),
  ];
  const root: Element = {
    name: 'definitions',
    attributes: {
      xmlns: MODEL,
      id: '_definitions',
      name: `${ruleSet.carrierKey} ${ruleSet.version}`,
      namespace: `urn:leeward:rules:${encodeURIComponent(ruleSet.line)}:${encodeURIComponent(ruleSet.carrierKey)}:${encodeURIComponent(ruleSet.version)}`,
      exporter: 'Leeward',
    },
    content: [
      { name: 'description', content: descriptionOf(ruleSet, omittedRules) },
      ...itemDefinitions(names, vocabulary),
      ...names.map((name) => inputData(name, vocabulary)),
      ...decisions.map(({ element }) => element),
      decisionService(names, decisions),
    ],
  };
  const file = ruleSet.file as { readonly moratoria?: readonly { readonly id: string }[] };
  return {
    xml: writeXml(root),
    omitted: {
      effective: { from: ruleSet.effectiveFrom, until: ruleSet.effectiveUntil ?? null },
      moratoria: (file.moratoria ?? []).map(({ id }) => id),
      rules: omittedRules,
      terms: tables.find(({ outcome }) => outcome === 'offer')!.rows.length > 0 ? offersOf(ruleSet) : [],
      contradictions: [...ruleSet.rules, ...ruleSet.programs.flatMap(({ rules }) => rules)].flatMap(
        ({ contradicts, message }) => (contradicts ? [{ offers: contradicts, message }] : []),
      ),
      tiers: tiers.map(({ id }) => id),
    },
  };
}

function offersOf({ rules, programs }: RuleSet): string[] {
  const all = [...rules, ...programs.flatMap((program) => program.rules)];
  return all.flatMap(({ id, outcome }) => (outcome === 'offer' ? [id] : []));
}

function factsOfRule(condition: Parameters<typeof forEachLeaf>[0]): Set<string> {
  const names = new Set<string>();
  forEachLeaf(condition, ({ computed, written, value }) => {
    if (computed) for (const name of sourcesOf(computed)) names.add(name);
    else {
      names.add(written.fact);
      const other = valueFact(value);
      if (other) names.add(other.fact);
    }
  });
  return names;
}

function descriptionOf({ carrierName, version }: RuleSet, omitted: readonly { readonly id: string }[]): string {
  const title = `Rules of ${carrierName}, version ${version}.`;
  return omitted.length === 0
    ? title
    : `${title} Rules that are not in the tables: ${omitted.map(({ id }) => id).join(', ')}.`;
}

/** A decision with the names of the inputs and decisions that it needs. */
interface Decision {
  readonly name: string;
  readonly element: Element;
}

interface TableRow {
  readonly program: string;
  readonly row: Row;
  readonly outputs: readonly string[];
}

interface Column {
  readonly input: string;
  readonly type: DmnType;
}

const text = (name: string, content: string, attributes: Readonly<Record<string, string>> = {}): Element => ({
  name,
  attributes,
  content: [{ name: 'text', content }],
});

function decision(
  name: string,
  type: string,
  needs: { inputs?: readonly string[]; decisions?: readonly string[] },
  logic: Element,
): Decision {
  const { inputs = [], decisions = [] } = needs;
  const requirement = (kind: string, id: string): Element => ({
    name: 'informationRequirement',
    attributes: { id: `_${name}_needs${id}` },
    content: [{ name: kind, attributes: { href: `#${id}` } }],
  });
  return {
    name,
    element: {
      name: 'decision',
      attributes: { id: `_${name}`, name },
      content: [
        { name: 'variable', attributes: { id: `_${name}_variable`, name, typeRef: type } },
        ...inputs.map((each) => requirement('requiredInput', `_input_${each}`)),
        ...decisions.map((each) => requirement('requiredDecision', `_${each}`)),
        logic,
      ],
    },
  };
}

function decisionTable(
  name: string,
  hitPolicy: 'COLLECT' | 'FIRST',
  columns: readonly Column[],
  outputs: readonly Readonly<Record<string, string>>[],
  rows: readonly { readonly cells: readonly string[]; readonly outputs: readonly string[] }[],
): Element {
  return {
    name: 'decisionTable',
    attributes: { id: `_${name}_table`, hitPolicy, outputLabel: name },
    content: [
      ...columns.map(({ input, type }, index) => ({
        name: 'input',
        attributes: { id: `_${name}_in_${index + 1}` },
        content: [text('inputExpression', input, { id: `_${name}_expression_${index + 1}`, typeRef: type })],
      })),
      ...outputs.map((attributes, index) => ({
        name: 'output',
        attributes: { id: `_${name}_out_${index + 1}`, ...attributes },
      })),
      ...rows.map((row, place) => ({
        name: 'rule',
        attributes: { id: `_${name}_row_${place + 1}` },
        content: [
          ...row.cells.map((cell, index) =>
            text('inputEntry', cell, { id: `_${name}_row_${place + 1}_in_${index + 1}` }),
          ),
          ...row.outputs.map((each, index) =>
            text('outputEntry', each, { id: `_${name}_row_${place + 1}_out_${index + 1}` }),
          ),
        ],
      })),
    ],
  };
}

const literal = (name: string, expression: string): Element =>
  text('literalExpression', expression, { id: `_${name}_logic` });
const ANY = '-';
const list = (values: Iterable<string>) => [...values].map(textOf).join(', ');

function offeredDecision(programs: readonly Program[]): Decision {
  const columns: Column[] = [
    { input: 'policy_type', type: 'string' },
    { input: 'state', type: 'string' },
  ];
  const rows = programs.map(({ policyTypes, places }) => ({
    cells: [list(policyTypes), places.states ? list([...places.states].sort()) : ANY],
    outputs: ['true'],
  }));
  const table = decisionTable('offered', 'FIRST', columns, [{}], [...rows, { cells: [ANY, ANY], outputs: ['false'] }]);
  return decision('offered', 'boolean', { inputs: ['policy_type', 'state'] }, table);
}

/** The program of the policy type and place; null if none covers it. */
function programDecision(programs: readonly Program[], hasTiers: boolean): Decision {
  const inputs = ['policy_type', 'state', 'county', ...(hasTiers ? ['tier'] : [])];
  const columns = inputs.map((input): Column => ({ input, type: 'string' }));
  const rows = programs.flatMap(({ id, policyTypes, places, tier }) => {
    const whole = (places.states ?? []).filter((state) => !places.counties.has(state)).sort();
    const parts = [
      ...(whole.length > 0 || !places.states ? [[places.states ? list(whole) : ANY, ANY]] : []),
      ...[...places.counties].map(([state, { mode, fips }]) => {
        const codes = list([...fips].sort());
        if (codes === '') return [textOf(state), mode === 'include' ? 'null' : ANY];
        return [textOf(state), mode === 'include' ? codes : `not(${codes})`];
      }),
    ];
    return parts.map((cells) => ({
      cells: [list(policyTypes), ...cells, ...(hasTiers ? [tier ? textOf(id) : ANY] : [])],
      outputs: [textOf(id)],
    }));
  });
  const table = decisionTable(
    'program',
    'FIRST',
    columns,
    [{}],
    [...rows, { cells: inputs.map(() => ANY), outputs: ['null'] }],
  );
  return decision('program', 'string', { inputs }, table);
}

function rulesDecision(outcome: string, rows: readonly TableRow[], vocabulary: Vocabulary): Decision {
  if (rows.length === 0) return decision(outcome, 'tRules', {}, literal(outcome, '[]'));
  const columns = new Map<string, Column>();
  for (const { row } of rows) for (const [key, { input, type }] of row) columns.set(key, { input, type });
  const keys = [...columns.keys()].sort();
  const outputs = ['rule', 'code', 'message'].map((name) => ({ name, typeRef: 'string' }));
  const table = decisionTable(
    outcome,
    'COLLECT',
    [{ input: 'program', type: 'string' }, ...keys.map((key) => columns.get(key)!)],
    outputs,
    rows.map(({ program, row, outputs: entries }) => ({
      cells: [program, ...keys.map((key) => row.get(key)?.cell ?? ANY)],
      outputs: entries,
    })),
  );
  const used = inputsOf([...columns.values()], vocabulary);
  return decision(outcome, 'tRules', { inputs: used, decisions: ['program'] }, table);
}

/** Names of the facts in the expressions of columns. Texts in them are not names. */
function inputsOf(columns: readonly Column[], vocabulary: Vocabulary): string[] {
  const { names, lists } = factIndex(vocabulary);
  const all = new Set([...names, ...lists.keys()]);
  const words = columns.flatMap(
    ({ input }) => input.replace(/"(?:[^"\\]|\\.)*"/g, '').match(/(?<!\.)\b[a-z]\w*/g) ?? [],
  );
  return [...new Set(words.filter((word) => all.has(word)))].sort();
}

function statusDecision(): Decision {
  const columns: Column[] = [
    { input: 'offered', type: 'boolean' },
    { input: 'program = null', type: 'boolean' },
    { input: 'count(decline)', type: 'number' },
    { input: 'count(refer)', type: 'number' },
  ];
  const rows = [
    { cells: ['false', ANY, ANY, ANY], outputs: ['"not_offered"'] },
    { cells: [ANY, 'true', ANY, ANY], outputs: ['"ineligible"'] },
    { cells: [ANY, ANY, '> 0', ANY], outputs: ['"ineligible"'] },
    { cells: [ANY, ANY, ANY, '> 0'], outputs: ['"referral"'] },
    { cells: [ANY, ANY, ANY, ANY], outputs: ['"eligible"'] },
  ];
  const table = decisionTable('status', 'FIRST', columns, [{}], rows);
  return decision('status', 'string', { decisions: ['offered', 'program', 'decline', 'refer'] }, table);
}

/** The rules that decide the status, once each. */
function reasonsDecision(): Decision {
  const expression =
    'distinct values(if status = "ineligible" then decline else if status = "referral" then refer else [])';
  return decision('reasons', 'tRules', { decisions: ['status', 'decline', 'refer'] }, literal('reasons', expression));
}

function decisionService(names: readonly string[], decisions: readonly Decision[]): Element {
  return {
    name: 'decisionService',
    attributes: { id: '_decide', name: 'decide' },
    content: [
      { name: 'variable', attributes: { id: '_decide_variable', name: 'decide', typeRef: 'Any' } },
      ...decisions.map(({ name }) => ({ name: 'outputDecision', attributes: { href: `#_${name}` } })),
      ...names.map((name) => ({ name: 'inputData', attributes: { href: `#_input_${name}` } })),
    ],
  };
}

function inputData(name: string, vocabulary: Vocabulary): Element {
  const { sets, lists } = factIndex(vocabulary);
  const typeRef = sets.has(name)
    ? 'tWords'
    : lists.has(name)
      ? `t_${name}`
      : (typeOfFact(name, vocabulary) ?? 'string');
  return {
    name: 'inputData',
    attributes: { id: `_input_${name}`, name },
    content: [{ name: 'variable', attributes: { id: `_input_${name}_variable`, name, typeRef } }],
  };
}

/** Types of rules, sets and lists. */
function itemDefinitions(names: readonly string[], vocabulary: Vocabulary): Element[] {
  const collection = (name: string, typeRef: string): Element => ({
    name: 'itemDefinition',
    attributes: { id: `_${name}`, name, isCollection: 'true' },
    content: [{ name: 'typeRef', content: typeRef }],
  });
  const structure = (name: string, components: readonly (readonly [string, string])[]): Element => ({
    name: 'itemDefinition',
    attributes: { id: `_${name}`, name },
    content: components.map(([component, typeRef]) => ({
      name: 'itemComponent',
      attributes: { id: `_${name}_${component}`, name: component },
      content: [{ name: 'typeRef', content: typeRef }],
    })),
  });
  const { sets, lists } = factIndex(vocabulary);
  const usedLists = names.flatMap((name) => lists.get(name) ?? []);
  return [
    structure('tRule', [
      ['rule', 'string'],
      ['code', 'string'],
      ['message', 'string'],
    ]),
    collection('tRules', 'tRule'),
    ...(names.some((name) => sets.has(name)) ? [collection('tWords', 'string')] : []),
    ...usedLists.flatMap(({ name, fields }) => [
      structure(
        `t_${name}_item`,
        fields.flatMap((field): (readonly [string, string])[] => {
          if (field.kind === 'date')
            return [
              [field.name, 'string'],
              [field.age, 'number'],
            ];
          return [[field.name, field.kind === 'number' ? 'number' : field.kind === 'flag' ? 'boolean' : 'string']];
        }),
      ),
      collection(`t_${name}`, `t_${name}_item`),
    ]),
  ];
}
