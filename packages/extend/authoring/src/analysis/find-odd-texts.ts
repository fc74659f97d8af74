import type { Rule, Vocabulary } from '@leeward/engine';
import { factIndex, forEachLeaf } from '@leeward/engine/compiled';
import { quoteValue } from '@leeward/terms';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';

/** A text that its author meant to write later, or none at all. */
const unfinished = /^\W*$|\b(?:todo|fixme|tbd|xxx|lorem ipsum|placeholder)\b|\?\?\?/i;
/** Words by which a message turns a home down. */
const refusal =
  /\b(?:(?:do|does|will|can) ?not (?:write|accept|insure|take|cover|bind)|(?:don't|won't|can't) (?:write|accept|insure|take|cover|bind)|not (?:eligible|acceptable|accepted|written|insurable)|ineligible|unacceptable|declined?)\b/i;

/** Messages and codes that do not fit what their rule does: agents would read what is not so. */
export function findOddTexts({ ruleSet, programs, findings }: AnalysisContext, rules: readonly RuleAcross[]): void {
  const vocabulary = programs[0]?.vocabulary;
  if (!vocabulary) return;
  for (const [index, { id, message }] of ruleSet.moratoria.entries()) {
    if (!unfinished.test(message)) continue;
    const path = `/moratoria/${index}/message`;
    findings.push({ code: 'message_unfinished', path, severity: 'warning', message: describeUnfinished(id, message) });
  }
  for (const { rule, at } of rules) {
    const report = (code: string, path: string, message: string) =>
      findings.push({
        code,
        path,
        ruleId: rule.id,
        severity: 'warning',
        message,
        policyTypes: at.map(({ program }) => program.policyType),
      });
    if (unfinished.test(rule.message)) {
      report('message_unfinished', `${rule.path}/message`, describeUnfinished(rule.id, rule.message));
      continue;
    }
    const [said] = refusal.exec(rule.message) ?? [];
    if ((rule.outcome === 'inform' || rule.outcome === 'require') && said !== undefined) {
      report(
        'outcome_weaker_than_message',
        `${rule.path}/outcome`,
        `The message of "${rule.id}" says ${quoteValue(said)}, but its outcome is ${rule.outcome}: such homes stay eligible. Use decline or refer, or change the message.`,
      );
    }
    const tested = testedFields(rule, vocabulary);
    if (tested.size === 0) continue;
    const untested = quotedFacts(rule.message).find((fact) => !isTested(fact, tested, vocabulary));
    if (untested !== undefined) {
      report(
        'message_quotes_untested_fact',
        `${rule.path}/message`,
        `The message of "${rule.id}" quotes {${untested}}, which the rule does not test; it tests ${[...tested].join(', ')}.`,
      );
    }
    const meant = fieldsOfCode(rule.code, vocabulary);
    // A field without a code of its own goes by that of a related one.
    const hasOwnCode = [...tested].some((field) => codedFields(vocabulary).has(field));
    if (meant.length > 0 && hasOwnCode && !meant.some((field) => tested.has(field))) {
      report(
        'code_of_another_fact',
        `${rule.path}/code`,
        `The code of "${rule.id}" is ${rule.code}, but the rule does not test ${meant.join(' or ')}; it tests ${[...tested].join(', ')}.`,
      );
    }
  }
}

function describeUnfinished(id: string, message: string): string {
  return message.trim() === ''
    ? `The message of "${id}" is empty: agents would see no reason.`
    : `The message of "${id}" is unfinished: ${quoteValue(message)}.`;
}

/** Names of the fields that a rule tests; `place` stands for state, county and policy type. */
function testedFields(rule: Rule, vocabulary: Vocabulary): Set<string> {
  const tested = new Set<string>();
  forEachLeaf(rule.condition, (leaf) => {
    for (const fact of [leaf.fact, leaf.written.fact]) tested.add(fieldOf(fact, vocabulary));
    const { value } = leaf.written;
    if (typeof value === 'object' && value !== null && 'fact' in value) {
      tested.add(fieldOf(String(value.fact), vocabulary));
    }
  });
  return tested;
}

function quotedFacts(message: string): string[] {
  return [...message.matchAll(/\{([^}]*)\}/g)].map(([, fact]) => fact!);
}

/** True for facts that say where a home is or what is asked for: every rule of a program rests on them. */
function isTested(fact: string, tested: ReadonlySet<string>, vocabulary: Vocabulary): boolean {
  const reference = factIndex(vocabulary).find(fact);
  if (reference === undefined || reference.kind === 'place') return true;
  if (tested.has(fieldOf(fact, vocabulary))) return true;
  // Given together, as the type of a roof and its age, one explains the other.
  const request = reference.field.requestName;
  const pair = vocabulary.givenTogether.find((names) => names.includes(request));
  return (
    pair?.some((name) => vocabulary.fields.some((each) => each.requestName === name && tested.has(each.name))) ?? false
  );
}

function fieldOf(fact: string, vocabulary: Vocabulary): string {
  const reference = factIndex(vocabulary).find(fact);
  return reference === undefined || reference.kind === 'place' ? fact : reference.field.name;
}

const coded = new WeakMap<Vocabulary, ReadonlySet<string>>();

/** The fields of which some code speaks. */
function codedFields(vocabulary: Vocabulary): ReadonlySet<string> {
  const fields = coded.get(vocabulary) ?? new Set(vocabulary.codes.flatMap((code) => fieldsOfCode(code, vocabulary)));
  coded.set(vocabulary, fields);
  return fields;
}

/** The fields that a code speaks of: those the vocabulary names, or the field or fact of the same name. */
function fieldsOfCode(code: string, vocabulary: Vocabulary): readonly string[] {
  const named = vocabulary.fieldsOfCodes?.[code];
  if (named !== undefined) return named;
  const reference = factIndex(vocabulary).find(code);
  return reference === undefined || reference.kind === 'place' ? [] : [reference.field.name];
}
