import { checkRuleSet, type RuleSet } from '@leeward/engine';
import {
  analyseRuleSet,
  askedAt,
  diffRuleSets,
  type Finding,
  mainTimeZone,
  printRuleSet,
  ruleReference,
  startingRuleSet,
} from '@leeward/engine/authoring';
import { isObject, valueAtPointer } from '@leeward/terms';
import {
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { testCases } from './read-cases.ts';
import type { NewRuleSet, PlacedFinding, RuleRow, RulesAnswer, RulesQuestion, Vocabulary } from './rules-messages.ts';

// Checks and analyses rule sets beside the page. Faults are told at once, what takes longer behind them; a newer text goes first.

type Told = Pick<Finding, 'path' | 'code' | 'message'> & Partial<Finding>;

interface ReadText {
  readonly value: unknown;
  readonly place: (found: Told) => PlacedFinding;
}

/** A text read: the value, and where a JSON Pointer leads; or why it is no JSON. */
function read(text: string): ReadText | PlacedFinding {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (!root || error) {
    const from = error?.offset ?? 0;
    const message = `This is not JSON: ${error ? printParseErrorCode(error.error) : 'it is empty'}.`;
    return {
      from,
      to: Math.max(from, Math.min(text.length, from + (error?.length ?? 1))),
      code: 'malformed_json',
      message,
      severity: 'fault',
    };
  }
  const place = ({ path, code, message, severity = 'fault', allowed, witness }: Told): PlacedFinding => {
    const node = nodeAt(root, path);
    return {
      from: node.offset,
      to: node.offset + node.length,
      code,
      message,
      severity,
      ...(allowed === undefined ? {} : { allowed }),
      ...(witness === undefined ? {} : { witness }),
    };
  };
  return { value: getNodeValue(root), place };
}

/** The nearest part of the text round what a pointer names. */
function nodeAt(root: Node, pointer: string): Node {
  const parts = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = parts.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(root, path.slice(0, length));
    if (node) return node;
  }
  return { ...root, length: 1 };
}

let latest = 0;

async function answer({ number, text, saved, cases }: RulesQuestion): Promise<void> {
  const tell = (told: Omit<RulesAnswer, 'number'>) => postMessage({ number, ...told } satisfies RulesAnswer);
  const file = read(text);
  if (!('value' in file)) return tell({ faults: [file] });
  const { faults, ruleSet, warnings } = checkRuleSet(file.value);
  const placed = faults.map((fault) => file.place(fault));
  if (!ruleSet) return tell({ faults: placed });
  const name = `${ruleSet.carrierName} ${ruleSet.version}`;
  const rules = ruleSet.rules.length + ruleSet.programs.reduce((sum, program) => sum + program.rules.length, 0);
  const table = tableOf(ruleSet, file);
  tell({ faults: placed, name, rules, table });
  // What came meanwhile goes first.
  await new Promise((resolve) => setTimeout(resolve));
  if (number !== latest) return;
  const at = askedAt(Date.now(), mainTimeZone(ruleSet));
  const found = analyseRuleSet(ruleSet, { at }).findings;
  const findings = [
    ...warnings.map((warning) => file.place({ ...warning, severity: 'warning' })),
    ...found.map((finding) => file.place(finding)),
  ];
  const unique = [...new Map(findings.map((each) => [`${each.from} ${each.message}`, each])).values()];
  tell({ faults: placed, name, rules, table, findings: unique });
  await new Promise((resolve) => setTimeout(resolve));
  if (number !== latest) return;
  const tested = cases === undefined ? undefined : await testCases(ruleSet, cases, at);
  const known = { faults: placed, name, rules, table, findings: unique, ...(tested ? { tested } : {}) };
  if (tested) tell(known);
  if (number !== latest || saved === undefined) return;
  const before = read(saved);
  const older = 'value' in before ? checkRuleSet(before.value).ruleSet : undefined;
  if (!older) return tell({ ...known, isOlderUnread: true });
  const changes = diffRuleSets(older, ruleSet, { at }).findings.map((edit) =>
    edit.side === 'newer' ? file.place(edit) : { ...file.place({ ...edit, path: '' }) },
  );
  tell({ ...known, changes });
}

/** Every rule as a row, in the order of the file. */
function tableOf({ rules, programs }: RuleSet, file: ReadText): RuleRow[] {
  const rowOf = (rule: RuleSet['rules'][number], program: string | undefined): RuleRow => {
    const { id, outcome, code, message, path } = rule;
    const written = valueAtPointer(file.value, path);
    const { when, unless } = isObject(written) ? written : {};
    const condition = when === undefined ? { unless } : unless === undefined ? { when } : { when, unless };
    const { from, to } = file.place({ path, code: '', message: '' });
    return { from, to, program, id, outcome, code, message, condition: JSON.stringify(condition) };
  };
  return [
    ...rules.map((rule) => rowOf(rule, undefined)),
    ...programs.flatMap((program) => program.rules.map((rule) => rowOf(rule, program.id))),
  ];
}

/** What may be written where. */
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

addEventListener('message', ({ data }: MessageEvent<RulesQuestion | { begin: true } | { words: true }>) => {
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
  void answer(data);
});
