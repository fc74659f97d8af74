import type { Rule, Vocabulary } from '@leeward/engine';
import { factIndex, forEachLeaf } from '@leeward/engine/compiled';
import { labelOf } from '@leeward/engine/vocabulary';
import { quoteValue } from '@leeward/terms';
import type { AnalysisContext, RuleAcross } from './analysis-context.ts';

/** A placeholder, or a text without words. */
const unfinished = /^\W*$|\b(?:todo|fixme|tbd|xxx|lorem ipsum|placeholder)\b|\?\?\?/i;
const refusal =
  /\b(?:(?:do|does|will|can) ?not (?:write|accept|insure|take|cover|bind)|(?:don't|won't|can't) (?:write|accept|insure|take|cover|bind)|not (?:eligible|acceptable|accepted|written|insurable)|ineligible|unacceptable|declined?)\b/i;

/** Finds messages and codes that do not fit the effect of their rule. */
export function findOddTexts({ ruleSet, programs, findings }: AnalysisContext, rules: readonly RuleAcross[]): void {
  const vocabulary = programs[0]?.vocabulary;
  if (!vocabulary) return;
  const label = (name: string) => labelOf(name, vocabulary);
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
    const [phrase] = refusal.exec(rule.message) ?? [];
    if (rule.outcome !== 'decline' && rule.outcome !== 'refer' && phrase !== undefined) {
      report(
        'outcome_weaker_than_message',
        `${rule.path}/outcome`,
        `The message of "${rule.id}" contains ${quoteValue(phrase)}, but its outcome is ${rule.outcome}: such homes stay eligible. Use decline or refer, or change the message.`,
      );
    }
    const fields = testedFields(rule, vocabulary);
    if (fields.size === 0) continue;
    const untestedFact = quotedFacts(rule.message).find((fact) => !isTested(fact, fields, vocabulary));
    if (untestedFact !== undefined) {
      report(
        'message_quotes_untested_fact',
        `${rule.path}/message`,
        `The message of "${rule.id}" quotes {${untestedFact}}, which the rule does not test; it tests ${[...fields].map(label).join(', ')}.`,
      );
    }
    const codeFields = fieldsOfCode(rule.code, vocabulary);
    // A field without a code uses the code of a related field.
    const hasOwnCode = [...fields].some((field) => codedFields(vocabulary).has(field));
    if (codeFields.length > 0 && hasOwnCode && !codeFields.some((field) => fields.has(field))) {
      report(
        'code_of_another_fact',
        `${rule.path}/code`,
        `The code of "${rule.id}" is ${rule.code}, but the rule does not test ${codeFields.map(label).join(' or ')}; it tests ${[...fields].map(label).join(', ')}.`,
      );
    }
  }
}

function describeUnfinished(id: string, message: string): string {
  return message.trim() === ''
    ? `The message of "${id}" is empty, so agents see no reason.`
    : `The message of "${id}" is unfinished: ${quoteValue(message)}.`;
}

/** Names of the fields that a rule tests, including state, county and policy type. */
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

/** True if the rule tests the fact or a field that requests have together with it. Places and policy types always count as tested. */
function isTested(fact: string, tested: ReadonlySet<string>, vocabulary: Vocabulary): boolean {
  const reference = factIndex(vocabulary).find(fact);
  if (reference === undefined || reference.kind === 'place') return true;
  if (tested.has(fieldOf(fact, vocabulary))) return true;
  // For example the type of a roof and its age.
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

function codedFields(vocabulary: Vocabulary): ReadonlySet<string> {
  const fields = coded.get(vocabulary) ?? new Set(vocabulary.codes.flatMap((code) => fieldsOfCode(code, vocabulary)));
  coded.set(vocabulary, fields);
  return fields;
}

/** The fields of a code: those that the vocabulary lists, else the field or fact of the same name. */
function fieldsOfCode(code: string, vocabulary: Vocabulary): readonly string[] {
  const named = vocabulary.fieldsOfCodes?.[code];
  if (named !== undefined) return named;
  const reference = factIndex(vocabulary).find(code);
  return reference === undefined || reference.kind === 'place' ? [] : [reference.field.name];
}
