import {
  type AskedAt,
  analyseRuleSet,
  askedAt,
  carriersOf,
  checkCases,
  coverageOf,
  diffRuleSets,
  type Finding,
  mainTimeZone,
  printRuleSet,
  ruleReference,
  startingRuleSet,
} from '@leeward/authoring';
import { checkRuleSet, type RuleSet } from '@leeward/engine';
import { writtenRules } from '@leeward/engine/compiled';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describeMalformed, type MalformedJson } from './malformed-json.ts';
import type {
  NewRuleSet,
  PlacedFinding,
  RulesAnswer,
  RulesQuestion,
  TestedCases,
  Vocabulary,
} from './rules-messages.ts';
import { tableOf, type WrittenRules } from './table-of.ts';

// Checks and analyses rule sets in a worker: faults first, then slower results. A newer text replaces an older one.

type FindingInput = Pick<Finding, 'path' | 'code' | 'message'> & Partial<Finding>;

interface ReadText extends WrittenRules {
  readonly place: (analysis: FindingInput) => PlacedFinding;
}

/** Returns the value and a function that locates JSON Pointers; or why the text is not JSON. */
function read(text: string): ReadText | PlacedFinding {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  let value: unknown;
  try {
    root = parseTree(text, errors, { disallowComments: true });
    if (root && errors.length === 0) value = getNodeValue(root);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return malformed({ from: 0, to: 1, message: 'The text nests too deep to be read.' });
  }
  if (!root || errors.length > 0) return malformed(describeMalformed(text, errors[0]));
  const top = root;
  const place = ({ path, code, message, severity = 'fault', allowed, example }: FindingInput): PlacedFinding => {
    const node = nodeAt(top, path);
    return {
      from: node.offset,
      to: node.offset + node.length,
      code,
      message,
      severity,
      ...(allowed === undefined ? {} : { allowed }),
      ...(example === undefined ? {} : { example }),
    };
  };
  const at = (pointer: string) => {
    const node = findNodeAtLocation(top, segmentsOf(pointer));
    return node && ([node.offset, node.offset + node.length] as const);
  };
  return { value, place, at };
}

const malformed = (place: MalformedJson): PlacedFinding => ({ ...place, code: 'malformed_json', severity: 'fault' });

function segmentsOf(pointer: string): (string | number)[] {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** The nearest part of the text around the target of a pointer. */
function nodeAt(root: Node, pointer: string): Node {
  const path = segmentsOf(pointer);
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return node;
  }
  return { ...root, length: 1 };
}

let latest = 0;

async function answerText({ number, text, saved, cases, home }: RulesQuestion): Promise<void> {
  const report = (results: Omit<RulesAnswer, 'number'>) => postMessage({ number, ...results } satisfies RulesAnswer);
  const file = read(text);
  if (!('value' in file)) return report({ faults: [file] });
  const { faults, ruleSet, warnings } = checkRuleSet(file.value);
  const placed = faults.map((fault) => file.place(fault));
  if (!ruleSet) return report({ faults: placed });
  const name = `${ruleSet.carrierName} ${ruleSet.version}`;
  const rules = [ruleSet, ...ruleSet.programs].reduce((sum, each) => sum + writtenRules(each.rules).length, 0);
  const table = tableOf(ruleSet, file);
  const identity = {
    carrierKey: ruleSet.carrierKey,
    version: { text: ruleSet.version, at: file.at('/version') },
  };
  const checked = { faults: placed, name, identity, rules, table };
  report(checked);
  // Let newer messages arrive first.
  await new Promise((resolve) => setTimeout(resolve));
  if (number !== latest) return;
  const at = askedAt(Date.now(), mainTimeZone(ruleSet));
  const analysis = analyseRuleSet(ruleSet, { at }).findings;
  const findings = [
    ...warnings.map((warning) => file.place({ ...warning, severity: 'warning' })),
    ...analysis.map((finding) => file.place(finding)),
  ];
  const unique = [...new Map(findings.map((each) => [`${each.from} ${each.message}`, each])).values()];
  report({ ...checked, findings: unique });
  await new Promise((resolve) => setTimeout(resolve));
  if (number !== latest) return;
  const tested = cases === undefined ? undefined : await testCases(ruleSet, cases, at);
  const homeResults = home && (await testHome(ruleSet, home, at));
  const results = {
    ...checked,
    findings: unique,
    ...(tested ? { tested } : {}),
    ...(homeResults ? { homeResults } : {}),
  };
  if (tested || homeResults) report(results);
  if (number !== latest || saved === undefined) return;
  const before = read(saved);
  const older = 'value' in before ? checkRuleSet(before.value).ruleSet : undefined;
  if (!older) return report({ ...results, isOlderUnread: true });
  const changes = diffRuleSets(older, ruleSet, { at }).findings.map((edit) =>
    edit.side === 'newer' ? file.place(edit) : { ...file.place({ ...edit, path: '' }) },
  );
  report({ ...results, changes });
}

function vocabulary(): Vocabulary {
  const { facts, operators, outcomes, codes } = ruleReference();
  return {
    words: {
      fact: facts.map(({ name, sentence }) => ({ name, meaning: sentence })),
      operator: operators.map(({ name, words }) => ({ name, meaning: words })),
      outcome: outcomes,
      code: codes.map((name) => ({ name, meaning: '' })),
    },
  };
}

export function answer(data: RulesQuestion | { begin: true } | { words: true }): void {
  if ('words' in data) {
    postMessage(vocabulary());
    return;
  }
  if ('begin' in data) {
    const from = new Date().toISOString().slice(0, 10);
    const { ruleSet } = startingRuleSet({
      carrierKey: 'new_carrier',
      carrierName: 'New Carrier',
      states: ['fl'],
      from,
    });
    postMessage({ begin: printRuleSet(ruleSet) } satisfies NewRuleSet);
    return;
  }
  latest = data.number;
  void answerText(data);
}

/** Returns each case with its expected and actual result, and the number of cases by rule. */
async function testCases(ruleSet: RuleSet, text: string, at: AskedAt): Promise<TestedCases> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    return { cases: [], faults: [`The cases are not JSON: ${(error as Error).message}`], reached: {} };
  }
  const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
  const checked = await checkCases(carrier!, file);
  const coverage = await coverageOf(carrier!, ruleSet, checked, at);
  const failures = (path: string) => checked.findings.filter((each) => each.path.startsWith(`${path}/`));
  return {
    cases: checked.cases.map(({ note, path, expect }, index) => ({
      note: note === '' ? `Case ${path.slice(1)}` : note,
      expected: expect.status,
      came: checked.answers[index]!.status,
      failures: failures(path).map(({ message }) => message),
    })),
    faults: checked.findings
      .filter(({ code }) => code !== 'case_fails')
      .map(({ path, message }) => `${path}: ${message}`),
    reached: Object.fromEntries(
      coverage.byRule.map(({ ruleId, holds, doesNotHold, sides }) => [ruleId, { holds, doesNotHold, sides }]),
    ),
  };
}

/** Tests each rule with a home; undefined if it cannot be a case. */
async function testHome(
  ruleSet: RuleSet,
  // Cases have distances, not places.
  { policy_type, address: _, lat: __, lng: ___, effective_date, ...home }: Readonly<Record<string, unknown>>,
  at: AskedAt,
): Promise<RulesAnswer['homeResults']> {
  const [carrier] = carriersOf([{ ruleSet, source: 'catalog' }]);
  const type = policy_type ?? ruleSet.programs[0]?.policyTypes[0];
  const now = new Date().toISOString();
  const when = { as_of: now, effective_date: effective_date ?? now.slice(0, 10) };
  const one = [{ note: 'The home', ...when, home, policy_type: type, expect: { status: 'eligible' } }];
  const checked = await checkCases(carrier!, one);
  if (checked.cases.length === 0) return undefined;
  const { byRule } = await coverageOf(carrier!, ruleSet, checked, at);
  return Object.fromEntries(
    byRule.map(({ ruleId, holds, doesNotHold }) => [
      ruleId,
      holds > 0 ? 'holds' : doesNotHold > 0 ? 'does not hold' : 'not known',
    ]),
  );
}
