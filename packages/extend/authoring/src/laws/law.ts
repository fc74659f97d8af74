import { checkRuleSet, homeVocabulary, type RuleSet, type Vocabulary } from '@leeward/engine';
import { factIndex } from '@leeward/engine/compiled';
import { states } from '@leeward/places/counties';
import { checkRequest, didYouMean, type Fault, isObject, quoteValue } from '@leeward/terms';
import * as z from 'zod';

/** The schema of a law file. Places, policy types and facts are checked by {@link readLaw}. */
export const lawSchema = z
  .strictObject({
    format: z.literal(1),
    law: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, 'give lower-case letters, digits, - and _')
      .meta({ description: 'Identifier, like fl-roof-age.' }),
    title: z.string().min(1).max(300).meta({ description: 'The demand of the law, in one sentence.' }),
    source: z.string().max(500).optional().meta({ description: 'A statute or a bulletin.' }),
    states: z.array(z.string()).min(1).optional().meta({ description: 'States where it applies. Omitted: all.' }),
    policy_types: z.array(z.string()).min(1).optional().meta({ description: 'Omitted: all of the line.' }),
    outcome: z
      .enum(['decline', 'refer'])
      .optional()
      .meta({ description: 'The outcome that it restricts; refer also means decline. Omitted: decline.' }),
    may_not_decide: z
      .array(z.string())
      .min(1)
      .max(50)
      .meta({ description: 'Facts that may not make the difference between two homes.' }),
    when: z.unknown().optional().meta({ description: 'The homes that it protects, as a condition. Omitted: all.' }),
    $comment: z.unknown().optional(),
  })
  .meta({ id: 'Law' });

/** A checked law. */
export interface Law {
  readonly id: string;
  readonly title: string;
  readonly source: string | undefined;
  readonly outcome: 'decline' | 'refer';
  readonly policyTypes: readonly string[];
  /** Fields that may not make the difference, by name. */
  readonly fields: ReadonlySet<string>;
  /** The protected facts, in words. */
  readonly labels: readonly string[];
  /** True if the county or state may not make the difference. */
  readonly protectsPlace: boolean;
  /** The protected homes: those that the only rule declines; without a rule, all homes of its places. */
  readonly homes: RuleSet;
}

/** A law, or all faults of its file. */
export interface ReadLaw {
  readonly law?: Law;
  readonly faults: readonly Fault[];
}

/**
 * Checks a law file. Reports all faults at once; never throws.
 *
 * @param vocabulary The line of business of the rule sets. @default homeVocabulary
 * @example
 * const { law, faults } = readLaw({
 *   format: 1, law: 'fl-roof-age', title: 'The age of a roof under 15 years does not decide.', states: ['fl'],
 *   may_not_decide: ['roof_age'], when: { fact: 'roof_age', operator: 'lessThan', value: 15 },
 * });
 */
export function readLaw(file: unknown, vocabulary: Vocabulary = homeVocabulary): ReadLaw {
  if (!isObject(file)) {
    return {
      faults: [{ path: '', code: 'not_a_law', message: `A law is a JSON object; this is ${quoteValue(file)}.` }],
    };
  }
  const checked = checkRequest(lawSchema, file);
  if (!checked.ok) return { faults: checked.faults };
  const { law, title, source, outcome = 'decline', policy_types, may_not_decide, when } = checked.request;
  const { fields, labels, protectsPlace, faults } = readProtected(may_not_decide, vocabulary);
  const policyTypes = policy_types ?? vocabulary.policyTypes;
  const homes = checkRuleSet(
    {
      format: 1,
      carrier: { key: 'law', name: title.slice(0, 100) },
      line: vocabulary.line,
      version: '1',
      effective: { from: '1900-01-01' },
      rules:
        when === undefined ? [] : [{ id: law, outcome: 'decline', code: 'x_law', message: law, when: asGroup(when) }],
      programs: [
        { id: 'law', policy_types: policyTypes, states: checked.request.states ?? states.map(({ code }) => code) },
      ],
    },
    { vocabulary, fromStranger: true },
  );
  faults.push(...homes.faults.map(({ path, ...fault }) => ({ ...fault, path: pathInLaw(path, when) })));
  if (faults.length > 0 || !homes.ruleSet) return { faults };
  const checkedTypes = homes.ruleSet.programs[0]!.policyTypes;
  return {
    law: {
      id: law,
      title,
      source,
      outcome,
      policyTypes: checkedTypes,
      fields,
      labels,
      protectsPlace,
      homes: homes.ruleSet,
    },
    faults: [],
  };
}

function readProtected(names: readonly string[], vocabulary: Vocabulary) {
  const index = factIndex(vocabulary);
  const fields = new Set<string>();
  const labels: string[] = [];
  const faults: Fault[] = [];
  let protectsPlace = false;
  for (const [at, name] of names.entries()) {
    const set = index.sets.get(name);
    const reference = index.find(name);
    if (set) {
      for (const member of set.members) fields.add(member.name);
      labels.push(set.label);
    } else if (reference?.kind === 'place' && reference.name !== 'policy_type') {
      protectsPlace = true;
      labels.push(reference.name);
    } else if (reference && reference.kind !== 'place') {
      fields.add(reference.field.name);
      labels.push((reference.kind === 'derived' ? reference.derived : reference.field).label);
    } else {
      const message = `${quoteValue(name)} is not a fact that a law can protect.${didYouMean(name, index.names)}`;
      faults.push({ path: `/may_not_decide/${at}`, code: 'unknown_fact', message });
    }
  }
  return { fields, labels, protectsPlace, faults };
}

/** Conditions of rules begin with a group; a law may also be a single test. */
function asGroup(when: unknown): unknown {
  return isObject(when) && Object.hasOwn(when, 'fact') ? { all: [when] } : when;
}

function pathInLaw(path: string, when: unknown): string {
  const group = isObject(when) && Object.hasOwn(when, 'fact') ? '/rules/0/when/all/0' : '/rules/0/when';
  if (path.startsWith(group)) return `/when${path.slice(group.length)}`;
  if (path.startsWith('/programs/0/')) return path.slice('/programs/0'.length);
  return path.startsWith('/rules/0') ? '/when' : '';
}
