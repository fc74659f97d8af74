import type {
  ExplainedRule,
  ExplainedTest,
  ExplainedTier,
  ExplainedTree,
  Explanation,
  FieldChange,
  KnownValue,
} from '@leeward/engine';
import type {
  WireChange,
  WireExplanation,
  WireKnownValue,
  WireRule,
  WireTest,
  WireTree,
} from './explanation-schema.ts';

export function writeExplanation({ evaluator, decidedBy, rules = [], tiers }: Explanation): WireExplanation {
  return {
    evaluator,
    decided_by: decidedBy.map(writeRule),
    rules: rules.map(writeRule),
    ...(tiers ? { tiers: tiers.map(writeTier) } : {}),
  };
}

function writeTier({ programId, status, decidedBy }: ExplainedTier): NonNullable<WireExplanation['tiers']>[number] {
  return { program_id: programId, status, decided_by: decidedBy.map(writeRule) };
}

export function writeChange({
  field,
  word,
  label,
  unit,
  from,
  to,
  ranges,
  dates,
  words,
  text,
}: FieldChange): WireChange {
  return {
    field,
    ...(word === undefined ? {} : { word }),
    label,
    ...(unit === undefined ? {} : { unit }),
    from: writeKnown(from),
    to,
    ...(ranges === undefined ? {} : { ranges: ranges.map(writeRange) }),
    ...(dates === undefined ? {} : { dates: [...dates] }),
    ...(words === undefined ? {} : { words: [...words] }),
    text,
  };
}

function writeRule(rule: ExplainedRule): WireRule {
  const { ruleId, kind, outcome, code, message, program, truth, tests, tree } = rule;
  return {
    rule_id: ruleId,
    kind,
    outcome,
    code,
    message,
    program,
    truth,
    tests: tests.map(writeTest),
    ...(tree === undefined ? {} : { tree: writeTree(tree) }),
  };
}

function writeTree(tree: ExplainedTree): WireTree {
  if (tree.kind === 'test') return { kind: 'test', ...writeTest(tree) };
  const { kind, truth, children, truncated } = tree;
  return { kind, truth, children: children.map(writeTree), ...(truncated ? { truncated } : {}) };
}

function writeTest(test: ExplainedTest): WireTest {
  const { fact, operator, limit, limitFact, field, label, unit, value, inferred, truth, text } = test;
  return {
    fact,
    operator,
    // A fact can be an interval or a choice.
    limit: limitFact === undefined ? (limit as WireKnownValue) : writeKnown(limit as KnownValue),
    ...(limitFact === undefined ? {} : { limit_fact: limitFact }),
    field,
    label,
    ...(unit === undefined ? {} : { unit }),
    value: writeKnown(value),
    ...(inferred ? { inferred } : {}),
    truth,
    text,
  };
}

function writeKnown(value: KnownValue): WireKnownValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value as WireKnownValue;
  if ('oneOf' in value) return { one_of: [...(value as { oneOf: readonly (string | number)[] }).oneOf] };
  return value as WireKnownValue;
}

function writeRange(range: NonNullable<FieldChange['ranges']>[number]): NonNullable<WireChange['ranges']>[number] {
  const { min, max, minExcluded, maxExcluded } = range;
  return {
    min,
    max,
    ...(minExcluded ? { min_excluded: true as const } : {}),
    ...(maxExcluded ? { max_excluded: true as const } : {}),
  };
}
