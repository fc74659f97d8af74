import type { ExplainedAnswer } from '@leeward/authoring';
import type {
  ExplainedRule,
  ExplainedTree,
  Property,
  RuleSet,
  Verdict,
  Vocabulary,
  WhatWouldChange,
} from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import { codeWords, wordOf, writeWord } from '@leeward/terms';
import type { createColors } from 'picocolors';

type Colors = ReturnType<typeof createColors>;
type Truth = ExplainedTree['truth'];

const outcomes = Object.keys(codeWords.ruleOutcome);

/**
 * One answer for its underwriter, a line each: the status, what holds or could with its tests, what is missing,
 * what would change it.
 */
export function answerInWords(
  { policyType, verdict, explanation, wouldChange }: ExplainedAnswer,
  ruleSet: RuleSet,
  { state, counties, vocabulary }: Property,
  colors: Colors,
): string {
  if (!verdict) {
    const isNowhere = counties?.length === 0;
    const why = isNowhere ? '' : explanation.ruleSet ? offeredInstead(ruleSet, state) : notInForce(ruleSet);
    return `${`${colors.bold(writeWord(policyType))}: not offered. ${why}`.trimEnd()}\n`;
  }
  const paint = {
    eligible: colors.green,
    referral: colors.yellow,
    needs_information: colors.cyan,
    ineligible: colors.red,
  };
  const { status } = verdict;
  const rules = (explanation.rules ?? []).filter(({ truth }) => truth !== 'false').sort(surestAndWorstFirst);
  const isFree = !rules.some(({ outcome }) => outcome === 'decline' || outcome === 'refer');
  const lines = [
    ...(isFree ? ['No rule declines or refers.'] : []),
    ...rules.flatMap((rule) => ruleInWords(rule, colors)),
    ...certainTogether(verdict, rules),
    ...certainty(verdict),
    ...missing(verdict, vocabulary),
    ...change(wouldChange),
  ];
  return `${colors.bold(writeWord(policyType))}: ${paint[status](wordOf('status', status))}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function certainty({ certainty }: Verdict): string[] {
  if (certainty === undefined) return [];
  return [`Measured distances decide with a certainty of ${Number((100 * certainty).toPrecision(10))} %.`];
}

function notInForce({ version, effectiveFrom, effectiveUntil }: RuleSet): string {
  const until = effectiveUntil === undefined ? 'on' : `until ${effectiveUntil}`;
  return `Version ${version} is for effective dates from ${effectiveFrom} ${until}.`;
}

function offeredInstead({ programs }: RuleSet, state: string): string {
  const matching = programs.filter(({ places }) => places.states?.includes(state) ?? true);
  const types = [...new Set(matching.flatMap((program) => program.policyTypes))];
  return `In ${state.toUpperCase()} it offers ${types.length === 0 ? 'nothing' : types.map(writeWord).join(', ')}.`;
}

function surestAndWorstFirst(a: ExplainedRule, b: ExplainedRule): number {
  return (
    Number(b.truth === 'true') - Number(a.truth === 'true') || outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome)
  );
}

function ruleInWords({ ruleId, outcome, code, message, truth, tests, tree }: ExplainedRule, colors: Colors): string[] {
  const perhaps = truth === 'undecided' ? 'perhaps ' : '';
  const head = `${perhaps}${wordOf('ruleOutcome', outcome)}: ${colors.bold(ruleId)} (${wordOf('reason', code)})  ${message}`;
  if (!tree) return [head, ...tests.map((test) => `  ${mark(test.truth, colors)} ${test.text}`)];
  if (tree.truth === truth) return [head, ...treeInWords(tree, '  ', colors)];
  // A rule can be surer than its tests one by one; or these hold, and the county decides whether it applies.
  const why = truth === 'true' ? 'for every value of the missing fields' : 'if the county is one where this applies';
  return [head, `  ${mark(truth, colors)} ${why}:`, ...treeInWords(tree, '    ', colors)];
}

function mark(truth: Truth, { green, dim, cyan }: Colors): string {
  return { true: green('✓'), false: dim('✗'), undecided: cyan('?') }[truth];
}

const groups = { all: 'every one of these', any: 'at least one of these', not: 'not' } as const;
const negated = { all: 'not every one of these', any: 'none of these' } as const;

function treeInWords(tree: ExplainedTree, indent: string, colors: Colors): string[] {
  const at = `${indent}${mark(tree.truth, colors)}`;
  if (tree.kind === 'test') return [`${at} ${tree.text}`];
  const [only, ...others] = tree.children;
  if (tree.kind === 'not' && (only?.kind === 'all' || only?.kind === 'any') && only.children.length > 1) {
    return [`${at} ${negated[only.kind]}:`, ...childrenInWords(only, indent, colors)];
  }
  if (only === undefined) return [`${at} ${tree.truncated ? 'more conditions, not shown' : 'always'}`];
  const isAlone = tree.kind !== 'not' && others.length === 0 && !tree.truncated;
  if (isAlone) return treeInWords(only, indent, colors);
  return [`${at} ${groups[tree.kind]}:`, ...childrenInWords(tree, indent, colors)];
}

function childrenInWords(
  { children, truncated }: Exclude<ExplainedTree, { kind: 'test' }>,
  indent: string,
  colors: Colors,
): string[] {
  const lines = children.flatMap((child) => treeInWords(child, `${indent}  `, colors));
  return truncated ? [...lines, `${indent}  … more conditions, not shown`] : lines;
}

/** A status can be certain though none of its rules is: one of them holds in every case. */
function certainTogether({ status }: Verdict, rules: readonly ExplainedRule[]): string[] {
  const outcome = status === 'ineligible' ? 'decline' : status === 'referral' ? 'refer' : undefined;
  if (!outcome || rules.some((rule) => rule.outcome === outcome && rule.truth === 'true')) return [];
  return [`For every value of the missing fields, one of the rules that would ${outcome} holds.`];
}

function missing({ status, missingFields, possibleStatuses, conservative }: Verdict, vocabulary: Vocabulary): string[] {
  if (status !== 'needs_information') return [];
  const statuses = possibleStatuses.map((each) => wordOf('status', each)).join(' or ');
  const fields = missingFields.map((name) => labelOf(name, vocabulary)).join(', ');
  const unknown = `It can become ${statuses}. Missing: ${fields}.`;
  return conservative ? [unknown, 'The search was cut short: less than that might have to be known.'] : [unknown];
}

function change({ outcome, aim, ways, blockedBy, note, conservative }: WhatWouldChange): string[] {
  const ids = blockedBy.map(({ ruleId }) => ruleId).join(', ');
  const inTheWay = ids === '' ? '' : `; in the way: ${ids}`;
  const nothing = 'No change by an owner';
  if (outcome === 'none_needed') return [];
  if (outcome === 'not_known') return [`The changes that would help are unknown. ${note ?? ''}`.trimEnd()];
  if (outcome === 'none_helps') {
    return [`${nothing} ${aim === 'eligible' ? 'makes it eligible' : 'gives a better answer'}${inTheWay}.`];
  }
  return [
    ...ways.map(({ changes, becomes, possibleStatuses }) => {
      const text = changes.map((each) => each.text).join(', and ');
      const could =
        becomes === 'needs_information'
          ? `could become ${possibleStatuses.map((each) => wordOf('status', each)).join(' or ')}`
          : undefined;
      return `It ${could ?? `would be ${wordOf('status', becomes)}`} with ${text}.`;
    }),
    ...(ids === '' ? [] : [`${nothing} makes it eligible${inTheWay}.`]),
    ...(conservative ? ['The search was cut short: fewer changes might do.'] : []),
  ];
}
