import { checkRuleSet } from '@leeward/engine';
import { factIndex, isOutcome, type outcomes } from '@leeward/engine/compiled';
import { didYouMean, quoteValue } from '@leeward/terms';
import { type DmnDecision, type DmnRow, type DmnTable, decisionsOf, isDmn } from '../dmn/read-decisions.ts';
import { readXml, type XmlElement, XmlError, type XmlPlace } from '../dmn/read-xml.ts';
import { readDmnCell, readLiteral } from '../dmn/unary-tests.ts';
import type { Finding } from '../finding/finding.ts';
import { type CellSet, cellSetOf, doOverlap, testsOfSet } from './cell-set.ts';
import { type Imported, type ImportOptions, lineOf, meaningOf, ruleSetAround } from './import-json-rules-engine.ts';
import { type CellColumn, columnOfFact } from './read-cell.ts';
import { columnOfExpression } from './read-expression.ts';
import { EXPORTER, restoredPrograms } from './restored-programs.ts';
import { translateWord } from './theirs-to-ours.ts';

/** A rule set made of DMN decision tables. */
export interface DmnImport extends Imported {
  /** Line and column in the document, by path of a finding. */
  readonly places: ReadonlyMap<string, XmlPlace>;
}

/**
 * Creates a rule set from the decision tables of a DMN document, one rule for each row. Input expressions are names of facts, or names that
 * `facts` maps to facts; cells are unary tests with constants. An output of each table has an outcome in every row, by its name or in
 * `outcomes`; a row that accepts has no rule, and other homes without a row get the outcome after `otherwise`.
 *
 * Hit policies: `UNIQUE` and `ANY` if overlapping rows agree; `FIRST`, and `PRIORITY` of one output, by excluding earlier rows; `COLLECT`
 * and `RULE ORDER` without aggregation. Everything else is left out and reported with table, row and cell.
 *
 * A document that `toDmn` wrote becomes its rules, programs, codes and messages again. Terms and tiers are not in such a document, so offers
 * are left out, and a document with tiers as a whole.
 *
 * @returns Findings have the path `/<decision>/<row>/<column>`, counted from 0.
 * @example
 * const { ruleSet, findings } = importDmn(xml, { ...options, outcomes: { Declined: 'decline' }, facts: { 'Roof Age': 'roof_age' } });
 */
export function importDmn(document: string, options: ImportOptions): DmnImport {
  const importer = new DmnImporter(options);
  let root: XmlElement;
  try {
    root = readXml(document);
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    importer.report('malformed_xml', '', `This is not XML that is accepted here: ${error.message}`, error.place);
    return importer.finish();
  }
  if (!isDmn(root)) {
    const message = `The root element is <${root.name}>; a DMN document has <definitions> of ${NAMESPACE}.`;
    importer.report('not_dmn', '', message, root.place);
    return importer.finish();
  }
  const decisions = decisionsOf(root);
  if (decisions.length === 0) importer.report('no_decisions', '', 'The document has no decision.', root.place);
  if (root.attributes['exporter'] === EXPORTER && decisions.some(({ name }) => name === 'program')) {
    importer.restore(decisions);
    return importer.finish();
  }
  for (const [index, decision] of decisions.entries()) importer.add(decision, `/${index}`, decisions);
  return importer.finish();
}

const NAMESPACE = 'https://www.omg.org/spec/DMN/…/MODEL/';
/** Maximum number of pairs of rows that are compared, in all tables. */
const MAX_PAIRS = 1_000_000;
/** Maximum number of earlier rows that rules exclude, in all tables. */
const MAX_EXCLUSIONS = 10_000;

interface Column {
  readonly name: string;
  readonly cells: CellColumn;
  spell(word: string): unknown;
}

/** A row with its tests, before the hit policy. */
interface Row {
  readonly index: number;
  readonly path: string;
  readonly sets: readonly (CellSet | undefined)[];
  readonly tests: readonly object[];
  /** Outputs as written: rows with the same agree. */
  readonly outputs: readonly string[];
  readonly meaning: Meaning;
  readonly place: XmlPlace;
}

type Outcome = (typeof outcomes)[number];
type Meaning = Outcome | { readonly otherwise: Outcome };

class DmnImporter {
  readonly #options: ImportOptions;
  readonly #findings: Finding[] = [];
  readonly #places = new Map<string, XmlPlace>();
  readonly #rules: Record<string, unknown>[] = [];
  /** Programs of a document that `toDmn` wrote, with their rules. */
  #programs: readonly Record<string, unknown>[] = [];
  readonly #ids = new Set<string>();
  #read = 0;
  #accepted = 0;
  #pairs = 0;
  #exclusions = 0;

  constructor(options: ImportOptions) {
    this.#options = options;
  }

  report(code: string, path: string, message: string, place: XmlPlace, severity: Finding['severity'] = 'fault'): void {
    this.#findings.push({ code, path, message, severity });
    if (!this.#places.has(path)) this.#places.set(path, place);
  }

  finish(): DmnImport {
    const ruleSet = {
      ...ruleSetAround(this.#options, this.#rules),
      ...(this.#programs.length > 0 ? { programs: this.#programs } : {}),
    };
    // Each row is checked alone. Together, rules can have the same id or be too many.
    const { faults } = this.#accepted > 0 ? checkRuleSet(ruleSet, lineOf(this.#options)) : { faults: [] };
    for (const { code, message } of faults)
      this.report(code, '', `The rules do not fit together: ${message}`, { line: 1, column: 1 });
    return { ruleSet, findings: this.#findings, places: this.#places, read: this.#read, accepted: this.#accepted };
  }

  /** Reads a document that `toDmn` wrote: a table for each outcome, whose first input is the program. */
  restore(decisions: readonly DmnDecision[]): void {
    const place = { line: 1, column: 1 };
    const programs = restoredPrograms(decisions.find(({ name }) => name === 'program')?.table);
    if (typeof programs === 'string') {
      this.report('programs_left_out', '', `Left out. ${programs}`, place);
      return;
    }
    const lists = new Map(programs.map(({ id }) => [id as string, [] as Record<string, unknown>[]]));
    for (const [index, decision] of decisions.entries()) {
      const { name, table, place: at } = decision;
      if (!isOutcome(name) || !table) continue;
      this.#read += new Set(table.rows.map(({ outputs }) => outputs[0]?.text)).size;
      if (name === 'offer') {
        const ids = [...new Set(table.rows.map(({ outputs }) => textOfOutput(outputs[0]?.text ?? '')))];
        const message = `Left out. The table "offer" has no terms; write the offers again: ${ids.join(', ')}.`;
        this.report('terms_left_out', `/${index}`, message, at);
        continue;
      }
      this.#restoreRules(name, decision, table, `/${index}`, decisions, lists);
    }
    this.#programs = programs.map((program) => {
      const rules = lists.get(program.id as string)!;
      return rules.length > 0 ? { ...program, rules } : program;
    });
  }

  /** Adds the rules of one outcome: rows with the same id and programs are alternatives of one rule. */
  #restoreRules(
    outcome: Exclude<Outcome, 'offer'>,
    decision: DmnDecision,
    table: DmnTable,
    path: string,
    decisions: readonly DmnDecision[],
    lists: ReadonlyMap<string, Record<string, unknown>[]>,
  ): void {
    const columns = this.#columnsOf(decision, { ...table, inputs: table.inputs.slice(1) }, path, decisions);
    if (!columns) return;
    const groups = new Map<string, { readonly programs: readonly string[]; readonly rows: (Row | undefined)[] }>();
    table.rows.forEach((row, index) => {
      const [first, ...inputs] = row.inputs;
      const programs = readDmnCell(first?.text ?? '')?.tests?.map(({ min }) => String(min?.literal.value)) ?? [];
      const key = JSON.stringify([row.outputs[0]?.text, programs]);
      const group = groups.get(key) ?? { programs, rows: [] };
      groups.set(key, group);
      group.rows.push(this.#rowOf(decision.name, { ...row, inputs }, index, columns, outcome, path));
    });
    for (const { programs, rows } of groups.values()) {
      const whole = rows.filter((row) => row !== undefined);
      if (whole.length < rows.length) continue;
      const [id = '', code = '', message = ''] = whole[0]!.outputs;
      const isShared = programs.length === lists.size;
      const list = isShared ? this.#rules : lists.get(programs[0] ?? '');
      if (!list || (!isShared && programs.length !== 1)) {
        const text = `Left out. Row ${whole[0]!.index + 1} of the table ${quoteValue(decision.name)} is for ${quoteValue(programs.join(', '))}; write all programs, or one.`;
        this.report('programs_left_out', whole[0]!.path, text, whole[0]!.place);
        continue;
      }
      const tests = whole.map((row) => ({ all: row.tests }));
      list.push({ id, outcome, code, message, when: tests.length === 1 ? tests[0] : { any: tests } });
      this.#accepted++;
    }
  }

  add(decision: DmnDecision, path: string, decisions: readonly DmnDecision[]): void {
    const { name, table, logic, place } = decision;
    if (!table) {
      const what = logic === undefined ? 'has no logic' : `is a ${logic}`;
      const message = `Left out. The decision ${quoteValue(name)} ${what}; only decision tables are read. Write it as a table, or as rules.`;
      this.report('not_a_table', path, message, place);
      return;
    }
    this.#read += table.rows.length;
    const fault = policyFault(table);
    if (fault !== undefined) {
      this.report('hit_policy', path, `Left out. The table ${quoteValue(name)} ${fault}`, place);
      return;
    }
    const columns = this.#columnsOf(decision, table, path, decisions);
    const meanings = this.#meaningsOf(name, table, path, place);
    if (!columns || !meanings) return;
    const rows = table.rows.map((row, index) => this.#rowOf(name, row, index, columns, meanings[index]!, path));
    const whole = rows.filter((row) => row !== undefined);
    const isOrdered = table.hitPolicy === 'FIRST' || table.hitPolicy === 'PRIORITY';
    const otherwise = meanings.map((meaning) => (typeof meaning === 'object' ? meaning.otherwise : undefined));
    if (whole.length < rows.length && (isOrdered || otherwise.some((each) => each !== undefined))) {
      const message = `Left out. The table ${quoteValue(name)} has a row that is left out, and the others depend on it; mend that row.`;
      this.report('table_left_out', path, message, place);
      return;
    }
    const exclusions = this.#exclusionsOf(name, table, whole, path, place);
    if (!exclusions) return;
    this.#addRules(name, whole, exclusions);
    this.#addOtherwise(name, table, whole, otherwise, path, place);
  }

  /** The columns of a table; undefined if one is not a fact. */
  #columnsOf(
    { name: tableName }: DmnDecision,
    { inputs }: DmnTable,
    path: string,
    decisions: readonly DmnDecision[],
  ): readonly Column[] | undefined {
    const { facts = {}, states } = this.#options;
    const { vocabulary } = lineOf(this.#options);
    const index = factIndex(vocabulary);
    const columns = inputs.map(({ expression, place }, column): Column | undefined => {
      const plain = expression.replace(/\s+/g, ' ').replace(/^'(.*)'$/, '$1');
      const snake = plain.toLowerCase().replace(/[\s-]+/g, '_');
      const isMapped = Object.hasOwn(facts, plain);
      const fact = isMapped ? facts[plain]! : (index.find(plain) ?? index.sets.has(plain)) ? plain : snake;
      const isDecision = !isMapped && decisions.some(({ name }) => name === plain);
      const reference = isDecision || !index.names.includes(fact) ? undefined : index.find(fact);
      if (reference) {
        const translation = { vocabulary, facts, states };
        return {
          name: plain,
          cells: columnOfFact(fact, reference),
          spell: (word) => translateWord(word, fact, translation),
        };
      }
      const cells = isDecision ? undefined : columnOfExpression(expression, vocabulary);
      if (cells) return { name: plain, cells, spell: (word) => word };
      const isName = /^[\p{L}_][\p{L}\p{N}_ .'-]*$/u.test(plain);
      const reason = isDecision
        ? `is the result of another decision. If homes have it as a fact: --fact '${plain}=FACT'.`
        : isName
          ? `is not a fact of the line ${vocabulary.line}.${didYouMean(snake, index.names)} Here: --fact '${plain}=FACT'.`
          : 'is an expression that tests cannot compute; name a fact.';
      const message = `Left out. The input ${quoteValue(plain)} of the table ${quoteValue(tableName)} ${reason}`;
      this.report('unknown_input', `${path}/inputs/${column}`, message, place);
      return undefined;
    });
    return columns.every((column) => column !== undefined) ? columns : undefined;
  }

  /** The meaning of each row, by the first output that has an outcome in every row. */
  #meaningsOf(
    name: string,
    { outputs, rows }: DmnTable,
    path: string,
    place: XmlPlace,
  ): readonly Meaning[] | undefined {
    const unmapped = outputs.map((_, column) => {
      const texts = rows.map((row) => textOfOutput(row.outputs[column]?.text ?? ''));
      return [...new Set(texts.filter((text) => this.#meaningOf(text) === undefined))];
    });
    const column = unmapped.findIndex((texts) => texts.length === 0);
    if (column >= 0 && rows.length > 0) {
      return rows.map((row) => this.#meaningOf(textOfOutput(row.outputs[column]?.text ?? ''))!);
    }
    if (rows.length === 0) {
      this.report('no_rows', path, `Left out. The table ${quoteValue(name)} has no rows.`, place);
      return undefined;
    }
    const nearest = [...unmapped].sort((a, b) => a.length - b.length)[0] ?? [];
    const some = nearest
      .slice(0, 3)
      .map((text) => quoteValue(text))
      .join(', ');
    const message = `Left out. The outputs of the table ${quoteValue(name)} are not outcomes, such as ${some}. If they are about acceptance: --outcome '${nearest[0]}=decline', or --outcome '${nearest[0]}=otherwise:decline' for one that accepts.`;
    this.report('unmapped_output', path, message, place);
    return undefined;
  }

  #meaningOf(text: string): Meaning | undefined {
    const meaning = meaningOf(text, this.#options) ?? (isOutcome(text) ? text : undefined);
    if (typeof meaning === 'object') return isOutcome(meaning.otherwise) ? { otherwise: meaning.otherwise } : undefined;
    return meaning !== undefined && isOutcome(meaning) && meaning !== 'offer' ? meaning : undefined;
  }

  #rowOf(
    table: string,
    row: DmnRow,
    index: number,
    columns: readonly Column[],
    meaning: Meaning,
    path: string,
  ): Row | undefined {
    const at = `${path}/${index}`;
    const sets: (CellSet | undefined)[] = [];
    const tests: object[] = [];
    let isWhole = true;
    columns.forEach(({ name, cells, spell }, column) => {
      const { text, place } = row.inputs[column] ?? { text: '-', place: row.place };
      const cell = readDmnCell(text === '' ? '-' : text);
      const set = cell
        ? cellSetOf(cell, cells.kind, spell)
        : 'it is not a list of tests with constants; write "tile", > 5, [1..5] or not(…)';
      const setTests = set === undefined || typeof set === 'string' ? set : testsOfSet(set, cells);
      if (typeof setTests === 'string') {
        const message = `Left out. Row ${index + 1} of the table ${quoteValue(table)}, ${quoteValue(name)}: ${quoteValue(text)} does not fit, because ${setTests}.`;
        this.report('unknown_cell', `${at}/${column}`, message, place);
        isWhole = false;
      } else if (setTests) {
        tests.push(...setTests);
        if (!this.#checkTests(table, index, name, setTests, `${at}/${column}`, place)) isWhole = false;
      }
      sets.push(typeof set === 'string' ? undefined : set);
    });
    if (row.inputs.length !== columns.length) {
      const message = `Left out. Row ${index + 1} of the table ${quoteValue(table)} has ${row.inputs.length} input entries for ${columns.length} inputs; give one for each.`;
      this.report('row_length', at, message, row.place);
      isWhole = false;
    }
    for (const { text, place } of row.outputs) {
      if (readLiteral(text)) continue;
      const message = `Left out. Row ${index + 1} of the table ${quoteValue(table)} computes its output ${quoteValue(text)}; write a constant.`;
      this.report('computed_output', at, message, place);
      isWhole = false;
      break;
    }
    const outputs = row.outputs.map(({ text }) => textOfOutput(text));
    return isWhole ? { index, path: at, sets, tests, outputs, meaning, place: row.place } : undefined;
  }

  /** Reports tests that the rule format refuses, such as unknown words. */
  #checkTests(
    table: string,
    row: number,
    column: string,
    tests: readonly object[],
    path: string,
    place: XmlPlace,
  ): boolean {
    const trial = { id: 'trial', outcome: 'inform', code: 'x_imported', message: 'Trial.', when: { all: tests } };
    const { faults, warnings } = checkRuleSet(ruleSetAround(this.#options, [trial]), lineOf(this.#options));
    const where = `Row ${row + 1} of the table ${quoteValue(table)}, ${quoteValue(column)}:`;
    const [fault] = faults;
    if (fault) this.report(fault.code, path, `Left out. ${where} ${fault.message}`, place);
    for (const { code, message } of warnings) this.report(code, path, `${where} ${message}`, place, 'warning');
    return fault === undefined;
  }

  /** The earlier rows that each row excludes; undefined if the policy has no meaning here. */
  #exclusionsOf(
    name: string,
    table: DmnTable,
    rows: readonly Row[],
    path: string,
    place: XmlPlace,
  ): ReadonlyMap<Row, readonly Row[]> | undefined {
    const exclusions = new Map<Row, readonly Row[]>(rows.map((row) => [row, []]));
    const { hitPolicy, outputs } = table;
    if (hitPolicy === 'COLLECT' || hitPolicy === 'RULE ORDER') return exclusions;
    this.#pairs += (rows.length * rows.length) / 2;
    if (this.#pairs > MAX_PAIRS) {
      const message = `Left out. The table ${quoteValue(name)} has too many rows to compare all of them; divide it, or let it collect.`;
      this.report('too_many_rows', path, message, place);
      return undefined;
    }
    const order = hitPolicy === 'PRIORITY' ? byPriority(rows, outputs[0]?.values) : rows;
    if (typeof order === 'string') {
      this.report('hit_policy', path, `Left out. The table ${quoteValue(name)} ${order}`, place);
      return undefined;
    }
    let isClear = true;
    order.forEach((row, index) => {
      const others = order
        .slice(0, index)
        .filter((other) => hitPolicy === 'UNIQUE' || other.outputs.join('\n') !== row.outputs.join('\n'))
        .filter((other) =>
          row.sets.every((set, column) => !set || !other.sets[column] || doOverlap(set, other.sets[column])),
        );
      if (hitPolicy === 'FIRST' || hitPolicy === 'PRIORITY') {
        exclusions.set(row, others);
        this.#exclusions += others.length;
      } else if (others[0]) {
        const what = hitPolicy === 'UNIQUE' ? 'only one row may hold' : 'their outputs differ';
        const message = `Left out. Rows ${others[0].index + 1} and ${row.index + 1} of the table ${quoteValue(name)} can hold for one home, but ${what}; mend them, or choose FIRST.`;
        this.report('rows_overlap', row.path, message, row.place);
        isClear = false;
      }
    });
    if (this.#exclusions > MAX_EXCLUSIONS) {
      const message = `Left out. Too many rows of the table ${quoteValue(name)} overlap earlier ones; divide it, or write rows that exclude each other.`;
      this.report('too_many_rows', path, message, place);
      return undefined;
    }
    return isClear ? exclusions : undefined;
  }

  #addRules(name: string, rows: readonly Row[], exclusions: ReadonlyMap<Row, readonly Row[]>): void {
    for (const row of rows) {
      if (typeof row.meaning === 'object') {
        this.#accepted++;
        continue;
      }
      const excluded = exclusions.get(row)!;
      const tests = [...row.tests, ...excluded.map(({ tests: all }) => ({ not: { all } }))];
      // An earlier row without tests always holds.
      if (excluded.some((each) => each.tests.length === 0)) {
        this.report(
          'row_never_first',
          row.path,
          `Row ${row.index + 1} of the table ${quoteValue(name)} never holds, because an earlier row always does.`,
          row.place,
          'warning',
        );
        this.#accepted++;
        continue;
      }
      if (tests.length === 0 && (row.meaning === 'decline' || row.meaning === 'refer')) {
        const message = `Left out. Row ${row.index + 1} of the table ${quoteValue(name)} has no test, so it would ${row.meaning} every home.`;
        this.report('no_test', row.path, message, row.place);
        continue;
      }
      const id = this.#idOf(`${slugOf(name)}-${row.index + 1}`);
      this.#rules.push({
        id,
        outcome: row.meaning,
        code: 'x_imported',
        when: { all: tests },
        message: plainMessage(`${name}: ${row.outputs.join(', ')}.`),
      });
      this.#accepted++;
    }
  }

  /** A rule for homes without a row, in a table with rows that accept or with a default. */
  #addOtherwise(
    name: string,
    { outputs, hitPolicy }: DmnTable,
    rows: readonly Row[],
    otherwise: readonly (Outcome | undefined)[],
    path: string,
    place: XmlPlace,
  ): void {
    const defaults = hitPolicy === 'COLLECT' ? [] : outputs.map(({ defaultValue }) => defaultValue);
    const byDefault = defaults.find((text) => text !== undefined);
    const meaning = byDefault === undefined ? undefined : this.#meaningOf(textOfOutput(byDefault));
    if (byDefault !== undefined && meaning === undefined) {
      const message = `The default output ${quoteValue(byDefault)} of the table ${quoteValue(name)} is not an outcome. Here: --outcome '${textOfOutput(byDefault)}=decline'.`;
      this.report('unmapped_output', path, message, place);
      return;
    }
    const all = otherwise.filter((each) => each !== undefined);
    const outcome = byDefault === undefined ? (all.includes('decline') ? 'decline' : all[0]) : meaning;
    if (outcome === undefined || typeof outcome === 'object') return;
    if (rows.some(({ tests }) => tests.length === 0)) return;
    this.#rules.push({
      id: this.#idOf(`${slugOf(name)}-otherwise`),
      outcome,
      code: 'x_imported',
      unless: { any: rows.map(({ tests }) => ({ all: tests })) },
      message: plainMessage(`${name}: no row of the table holds.`),
    });
  }

  #idOf(base: string): string {
    let id = base;
    for (let number = 2; this.#ids.has(id); number++) id = `${base}-${number}`;
    this.#ids.add(id);
    return id;
  }
}

function policyFault({ hitPolicy, aggregation, outputs }: DmnTable): string | undefined {
  if (aggregation !== undefined)
    return `aggregates its outputs (${hitPolicy} ${aggregation}), and rules do not compute; write its rows as rules.`;
  if (hitPolicy === 'OUTPUT ORDER')
    return 'has the hit policy OUTPUT ORDER, which rules cannot express; choose COLLECT.';
  if (hitPolicy === 'PRIORITY' && outputs.length !== 1)
    return 'has the hit policy PRIORITY with several outputs; choose FIRST, with the rows in that order.';
  const policies = ['UNIQUE', 'ANY', 'FIRST', 'PRIORITY', 'COLLECT', 'RULE ORDER'];
  if (policies.includes(hitPolicy)) return undefined;
  return `has the hit policy ${quoteValue(hitPolicy)}; use one of: ${policies.join(', ')}.`;
}

/** The rows by the priority of their output, those of one output in their order. */
function byPriority(rows: readonly Row[], values: string | undefined): readonly Row[] | string {
  const list = values === undefined ? undefined : readDmnCell(values)?.tests;
  const texts = list?.map(({ min }) => String(min?.literal.value));
  if (!texts || rows.some(({ outputs }) => !texts.includes(outputs[0]!))) {
    return 'has the hit policy PRIORITY, but no list of output values with all outputs of its rows; add the list, or choose FIRST.';
  }
  return [...rows].sort((a, b) => texts.indexOf(a.outputs[0]!) - texts.indexOf(b.outputs[0]!));
}

function textOfOutput(text: string): string {
  const literal = readLiteral(text);
  return literal ? String(literal.value) : text;
}

function slugOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'table'
  );
}

/** Braces would quote facts. */
function plainMessage(text: string): string {
  return text.replace(/\{/g, '(').replace(/\}/g, ')').slice(0, MAX_MESSAGE);
}

const MAX_MESSAGE = 500;
