import { resolve } from 'node:path';
import { parseRequest } from '@leeward/engine';
import { type ExplainedCondition, type Explanation, explainHome, writeFinding } from '@leeward/engine/authoring';
import { createColors } from 'picocolors';
import type { Terminal } from '../terminal.ts';
import { asOfOption } from './analyse.ts';
import { usable } from './diff.ts';
import { readJsonText } from './json-text.ts';
import { type LocatedFinding, locate } from './located-finding.ts';
import { type Format, printFindings } from './print-findings.ts';
import { readJson } from './rule-set-files.ts';
import { exitWith } from './wrong-use.ts';

interface ExplainOptions {
  readonly format: Format;
  readonly asOf?: string;
  readonly policyType?: string;
}

type Colors = ReturnType<typeof createColors>;

/** `rules explain`: a verdict in sentences, with the conditions and values behind it. */
export async function explain(
  ruleSet: string,
  home: string,
  options: ExplainOptions,
  terminal: Terminal,
): Promise<void> {
  const rules = usable(ruleSet, options.format, terminal);
  const { name, value, positionOf } = await readHome(home, options.format, terminal);
  const at = asOfOption(options.asOf);
  const dates = { as_of: at.asOf, effective_date: at.effectiveDate };
  const asked = options.policyType === undefined ? {} : { policy_type: options.policyType };
  const isHome = typeof value === 'object' && value !== null && !Array.isArray(value);
  const parsed = parseRequest(isHome ? { ...dates, ...value, ...asked } : value, { now: new Date(at.asOfMs) });
  if (!parsed.ok) {
    const findings = parsed.faults.map((fault): LocatedFinding => {
      return { ...writeFinding({ ...fault, severity: 'fault' }), file: name, ...positionOf(fault.path) };
    });
    printFindings(findings, options.format, terminal);
    terminal.writeError('leeward rules: the home does not fit.\n');
    exitWith(2);
  }
  const { property, warnings, asOf, effectiveDate } = parsed.request;
  const explanations = await explainHome(rules.ruleSet, property);
  if (options.format === 'json') {
    const findings = explanations.flatMap((each) =>
      findingsOf(each).map((found) => locate(found, rules.name, rules.json)),
    );
    printFindings(findings, 'json', terminal, {
      as_of: asOf,
      effective_date: effectiveDate,
      verdicts: explanations.map(wire),
    });
    return;
  }
  const colors = createColors(terminal.inColor);
  terminal.write(`${rules.ruleSet.carrierName}, as of ${asOf}, effective ${effectiveDate}.\n`);
  for (const { path, message } of warnings) terminal.write(`Note on ${path.slice(1)}: ${message}\n`);
  for (const each of explanations) terminal.write(`\n${inWords(each, colors)}`);
}

async function readHome(path: string, format: Format, terminal: Terminal) {
  if (path !== '-') {
    const { name, json, findings } = readJson(resolve(terminal.folder, path), terminal.folder);
    if (json) return { name, value: json.value, positionOf: json.positionOf };
    printFindings(findings, format, terminal);
    return exitWith(2);
  }
  const name = 'standard input';
  const read = readJsonText(await terminal.readInput());
  if ('json' in read) return { name, value: read.json.value, positionOf: read.json.positionOf };
  const findings = read.faults.map((fault) => ({ ...fault, severity: 'fault' as const, file: name }));
  printFindings(findings, format, terminal);
  return exitWith(2);
}

function findingsOf({ policyType, rules, verdict }: Explanation) {
  if (!verdict) {
    const message = `${policyType} is not offered here.`;
    return [{ code: 'not_offered', path: '/programs', message, severity: 'note' as const, policyTypes: [policyType] }];
  }
  return rules.map(({ rule, truth, message }) => {
    return {
      code: truth === 'true' ? 'rule_holds' : 'rule_undecided',
      path: rule.path,
      message: `${policyType}: ${rule.outcome}. ${message}`,
      severity: 'note' as const,
      ruleId: rule.id,
      policyTypes: [policyType],
    };
  });
}

function wire({ policyType, verdict, rules, wouldChange }: Explanation) {
  return {
    policy_type: policyType,
    status: verdict?.status ?? 'not_offered',
    possible_statuses: verdict?.possibleStatuses ?? [],
    missing_fields: verdict?.missingFields ?? [],
    rules: rules.map(({ rule, truth, condition }) => {
      return { rule_id: rule.id, outcome: rule.outcome, code: rule.code, truth, condition };
    }),
    would_change: wouldChange,
  };
}

const marks = { true: '✓', false: '✗', undecided: '?' } as const;
const verbs = { decline: 'declines', refer: 'refers', require: 'requires', inform: 'informs' } as const;

function inWords({ policyType, verdict, rules, wouldChange }: Explanation, colors: Colors): string {
  if (!verdict) return `${colors.bold(policyType)}: not offered here.\n`;
  const paint = {
    eligible: colors.green,
    referral: colors.yellow,
    needs_information: colors.cyan,
    ineligible: colors.red,
  };
  let text = `${colors.bold(policyType)}: ${paint[verdict.status](verdict.status)}\n`;
  for (const reason of verdict.reasons) {
    if (!rules.some(({ rule }) => rule.id === reason.ruleId))
      text += `  ${reason.ruleId} (${reason.code}): ${reason.message}\n`;
  }
  for (const { rule, truth, condition, message } of rules) {
    const perhaps = truth === 'undecided' ? 'perhaps ' : '';
    text += `  ${perhaps}${verbs[rule.outcome]}: ${colors.bold(rule.id)} (${rule.code})  ${message}\n`;
    text += conditionInWords(condition, '    ', colors);
  }
  if (verdict.missingFields.length > 0) {
    text += `  It can become ${verdict.possibleStatuses.join(' or ')}: not known are ${verdict.missingFields.join(', ')}.\n`;
  }
  for (const { status, changes } of wouldChange) text += `  It would be ${status} with ${changes.join(', and ')}.\n`;
  if ((verdict.status === 'ineligible' || verdict.status === 'referral') && wouldChange.length === 0) {
    text += '  Nothing that an owner can change, alone or two together, gives a better answer.\n';
  }
  return text;
}

function conditionInWords({ truth, words, of }: ExplainedCondition, indent: string, colors: Colors): string {
  const paint = { true: colors.green, false: colors.dim, undecided: colors.cyan };
  const own = `${indent}${paint[truth](marks[truth])} ${words}${of.length > 0 ? ':' : ''}\n`;
  return own + of.map((child) => conditionInWords(child, `${indent}  `, colors)).join('');
}
