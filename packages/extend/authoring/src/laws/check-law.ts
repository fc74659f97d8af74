import { homeVocabulary, type Property, type RuleSet, type Status, type Vocabulary } from '@leeward/engine';
import {
  type Box,
  type CompiledProgram,
  conjoin,
  encode,
  factIndex,
  impossibleTerms,
  intersection,
  isImpossible,
  PLACE,
  setOf,
  type Term,
  valueFact,
} from '@leeward/engine/compiled';
import { writeWord } from '@leeward/terms';
import { inPlaces, type JointProgram, joinPrograms, type OwnedTerm } from '../diff/joint-program.ts';
import { type AskedAt, withinWindow } from '../finding/asked-at.ts';
import { type Allowance, covered, meet, wholeBox } from '../finding/boxes.ts';
import { createHomeEvaluator, evaluatePlainly, type HomeEvaluator } from '../finding/evaluate-home.ts';
import { findExample } from '../finding/example-home.ts';
import type { ExampleHome, Finding } from '../finding/finding.ts';
import { isDoneWithin, type Work } from '../finding/work-budget.ts';
import type { Law } from './law.ts';

/*
 * A rule set breaks a law if two homes differ only in fields that the law protects, the law protects the first home, the first is
 * declined and the second is not.
 *
 * Both are compiled on the same axes, so each declining rule is a set of boxes. For each box within the protected homes, the axes of the
 * protected fields are opened to all values: these are the homes that the second home may be. A part of this box that no rule declines,
 * and that the relations of the vocabulary allow, has such a pair. If there is none, no pair exists. Every reported pair was evaluated.
 */

/** The dates of a check, and its limits. */
export interface CheckLawOptions {
  readonly at: AskedAt;
  /** The line of business of the rule set. @default homeVocabulary */
  readonly vocabulary?: Vocabulary;
  /** Maximum number of boxes for all searches together. @default 2_000_000 */
  readonly boxes?: number;
  /** Work budget of the whole check. @default unlimited */
  readonly work?: Work | undefined;
}

const BOXES = 2_000_000;
const BOXES_A_QUESTION = 50_000;
/** Maximum number of parts of one box in which a pair is searched. */
const MAX_PARTS = 64;

/** Codes of the findings of {@link checkLaw}. Both are faults: a rule set that was not decided has not passed. */
export const lawCodes = ['law_broken', 'law_not_decided'] as const;

/**
 * Checks a rule set against a law. Each rule that breaks it is a fault with two homes: `example` is declined and protected, and
 * `counterexample` differs only in what the law protects and is not declined. Without findings, no such pair exists.
 *
 * @example
 * const { law } = readLaw(JSON.parse(text));
 * for (const { message } of checkLaw(ruleSet, law!, { at: readAskedAt('2026-11-20')! })) console.error(message);
 */
export function checkLaw(ruleSet: RuleSet, law: Law, options: CheckLawOptions): readonly Finding[] {
  const vocabulary = options.vocabulary ?? homeVocabulary;
  const at = withinWindow(options.at, ruleSet);
  const allowance: Allowance = {
    left: options.boxes ?? BOXES,
    perQuestion: BOXES_A_QUESTION,
    work: options.work,
  };
  const evaluator = createHomeEvaluator(ruleSet, vocabulary, options.work);
  const broken = new Map<string, Finding>();
  const open = new Map<string, Finding>();
  const isDone = isDoneWithin(() => {
    for (const policyType of law.policyTypes) {
      const joint = joinPrograms(law.homes, ruleSet, policyType, at, vocabulary);
      if (!joint) continue;
      if (!('program' in joint)) {
        const message = `"${law.id}" was not decided for ${writeWord(policyType)}: ${joint.reason}.`;
        open.set(policyType, { code: 'law_not_decided', path: '/programs', severity: 'fault', message });
        continue;
      }
      const search = createSearch({ law, joint, at, evaluator, allowance });
      for (const owned of search.suspects) {
        const rule = owned.rule!;
        if (broken.has(rule.id)) continue;
        const result = search.findPair(owned.term);
        if (result === 'none') continue;
        if (result === 'unknown') {
          const message = `"${law.id}" was not decided for "${rule.id}": the search reached its limit, or the rule compares facts in a way that it cannot follow. Compare the rule with the law by hand, or write it with constants.`;
          open.set(rule.id, { code: 'law_not_decided', path: rule.path, ruleId: rule.id, severity: 'fault', message });
          continue;
        }
        broken.set(rule.id, breach(law, owned, result, policyType));
      }
    }
  });
  if (!isDone) {
    const message = `"${law.id}" was not decided: the rules need more work than the limit of one check.`;
    open.set('', { code: 'law_not_decided', path: '', severity: 'fault', message });
  }
  return [...broken.values(), ...[...open].flatMap(([key, finding]) => (broken.has(key) ? [] : [finding]))];
}

/** Two homes that differ only in protected fields. The first is declined, the second is not. */
interface Pair {
  readonly declined: ExampleHome;
  readonly accepted: ExampleHome;
}

interface SearchInput {
  readonly law: Law;
  readonly joint: JointProgram;
  readonly at: AskedAt;
  readonly evaluator: HomeEvaluator;
  readonly allowance: Allowance;
}

/** The search of one policy type. */
function createSearch({ law, joint, at, evaluator, allowance }: SearchInput) {
  const { program, older, newer } = joint;
  const { full } = program.place;
  const places = intersection(older.offered, newer.offered);
  const restricted = law.outcome === 'refer' ? [...newer.declining, ...newer.referring] : newer.declining;
  const blocked = [...restricted.map(({ term }) => term), ...impossibleTerms(program)];
  const protectedHomes = law.homes.rules.length === 0 ? [[]] : older.declining.map(({ term }) => term);
  const isOpened = protectedAxes(program, law);
  const whole = wholeBox(program);
  const opened = (box: Box): Box =>
    box.map((cells, axis) => (!isOpened[axis] ? cells : axis === PLACE ? places : program.axes[axis]!.axis.full));
  const isRestricted = (status: Status): boolean =>
    status === 'ineligible' || (law.outcome === 'refer' && status === 'referral');
  const isProtected = (property: Property): boolean =>
    law.homes.rules.length === 0 || (evaluatePlainly(law.homes, property)?.holding.size ?? 0) > 0;

  /** A pair whose first home is in `box` and whose second is in `free`. */
  const confirm = (box: Box, free: Box): Pair | undefined => {
    const first = findExample(program, box, at, (property) => {
      const evaluation = evaluator.evaluate(property);
      return evaluation !== undefined && isRestricted(evaluation.status) && isProtected(property);
    });
    if (!first) return undefined;
    const second = findExample(
      program,
      sameCells(program, free, first.property, isOpened),
      at,
      (property) => {
        const evaluation = evaluator.evaluate(property);
        return (
          evaluation !== undefined && !isRestricted(evaluation.status) && differOnlyWhere(first.property, property, law)
        );
      },
      targetsOf(first.property, law),
    );
    return second && { declined: first.home, accepted: second.home };
  };

  return {
    suspects: restricted.filter(({ rule }) => rule !== undefined),
    findPair(term: Term): Pair | 'none' | 'unknown' {
      let answer: 'none' | 'unknown' = 'none';
      for (const home of protectedHomes) {
        const both = inPlaces(conjoin(term, home), places, full);
        const box = both && !isImpossible(both) ? meet(whole, both) : undefined;
        if (!box || covered(box, impossibleTerms(program), allowance) === 'yes') continue;
        const tried: Term[] = [];
        for (;;) {
          const result = covered(opened(box), [...blocked, ...tried], allowance);
          if (result === 'yes') break;
          if (result === 'unknown' || tried.length === MAX_PARTS) {
            answer = 'unknown';
            break;
          }
          const { open } = result;
          const declined = box.map((cells, axis) => (isOpened[axis] ? cells : open[axis]));
          const possible = covered(declined, impossibleTerms(program), allowance);
          if (possible !== 'yes') {
            const pair = confirm(possible === 'unknown' ? declined : possible.open, open);
            if (pair) return pair;
            answer = 'unknown';
          }
          tried.push(outside(open, program, isOpened));
        }
      }
      return answer;
    },
  };
}

/** True for each axis that depends on a protected field. */
function protectedAxes(program: CompiledProgram, law: Law): readonly boolean[] {
  const index = factIndex(program.vocabulary);
  const isProtectedFact = (fact: string | undefined): boolean => {
    const reference = fact === undefined ? undefined : index.find(fact);
    if (!reference) return false;
    return reference.kind === 'place' ? law.protectsPlace : law.fields.has(reference.field.name);
  };
  return program.axes.map((entry, axis) => {
    if (axis === PLACE) return law.protectsPlace;
    if (!entry) return false;
    if (!entry.test) return law.fields.has(entry.axis.name);
    return isProtectedFact(entry.test.fact) || isProtectedFact(valueFact(entry.test.value)?.fact);
  });
}

/** The part of `free` that has the cells of a home on all axes without protected fields. */
function sameCells(program: CompiledProgram, free: Box, home: Property, isOpened: readonly boolean[]): Box {
  const { cells } = encode(program, home);
  return free.map((side, axis) => {
    const cell = cells[axis]!;
    if (isOpened[axis] || cell < 0 || !side) return side;
    const size = axis === PLACE ? program.place.size : program.axes[axis]!.axis.size;
    return setOf(size, (each) => each === cell);
  });
}

/** The homes of `open` on the axes without protected fields, so that the next search leaves them out. */
function outside(open: Box, program: CompiledProgram, isOpened: readonly boolean[]): Term {
  return open.flatMap((cells, axis) => {
    if (isOpened[axis] || !cells || (axis !== PLACE && !program.axes[axis])) return [];
    return [{ axis, cells, leaves: [] }];
  });
}

function differOnlyWhere(first: Property, second: Property, law: Law): boolean {
  if (!law.protectsPlace && (first.state !== second.state || first.counties?.join() !== second.counties?.join()))
    return false;
  const [one, other] = [first.givenValues ?? first.values, second.givenValues ?? second.values];
  return first.vocabulary.fields.every(({ name }, index) => law.fields.has(name) || one[index] === other[index]);
}

function targetsOf(home: Property, law: Law): ReadonlyMap<string, number | string> {
  const targets = new Map<string, number | string>();
  home.vocabulary.fields.forEach(({ name }, index) => {
    const value = home.values[index];
    if (!law.fields.has(name) && (typeof value === 'number' || typeof value === 'string')) targets.set(name, value);
  });
  return targets;
}

function breach(law: Law, owned: OwnedTerm, pair: Pair, policyType: string): Finding {
  const rule = owned.rule!;
  const what = law.outcome === 'refer' ? 'refers or declines' : 'declines';
  const named = [...new Set(law.labels)].slice(0, 3).join(' or ');
  return {
    code: 'law_broken',
    path: rule.path,
    ruleId: rule.id,
    severity: 'fault',
    message: `Breaks "${law.id}" (${law.title}): "${rule.id}" ${what} a protected home of ${writeWord(policyType)}, but not the same home with another ${named}.`,
    policyTypes: [policyType],
    example: pair.declined,
    counterexample: pair.accepted,
  };
}
