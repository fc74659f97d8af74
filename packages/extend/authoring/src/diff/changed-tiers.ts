/**
 * Moves between tiers: homes that one tier takes or refers in the older version, and another in the newer.
 *
 * The homes of a tier are a product: inside the rules that keep a home out of the better tiers, outside those of the tier. Two such
 * products, of one tier in each version, are intersected.
 */
import { isBetter, PLACE, type Program, productOf, type Term, widestTerms } from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import { type Allowance, covered, meet, wholeBox } from '../finding/boxes.ts';
import type { HomeEvaluator } from '../finding/evaluate-home.ts';
import { findExample } from '../finding/example-home.ts';
import type { ExampleHome } from '../finding/finding.ts';
import { wordsOfTerm } from '../finding/words-of-term.ts';
import { withoutWithin } from './changed-regions.ts';
import type { Edit } from './compare-files.ts';
import type { JointProgram, Side, TierSide } from './joint-program.ts';

/** The homes of a tier, inside some box of `within` and outside all of `without`. */
interface TierHomes {
  readonly tier: Program;
  readonly within: readonly Term[];
  readonly without: readonly Term[];
}

export interface TierComparison {
  readonly at: AskedAt;
  readonly allowance: Allowance;
  readonly before: HomeEvaluator;
  readonly after: HomeEvaluator;
  /** Position of a program in the newer file. */
  readonly indexOf: (programId: string) => number;
}

/** Finds, for each pair of tiers, homes that move from one to the other. */
export function changedTiers(joint: JointProgram, comparison: TierComparison): Edit[] {
  const edits: Edit[] = [];
  const newer = homesOf(joint, joint.newer);
  const pairs = new Set<string>();
  for (const from of homesOf(joint, joint.older)) {
    for (const to of newer) {
      const key = `${from.tier.id} ${to.tier.id}`;
      const isMove = from.tier.tier!.of === to.tier.tier!.of && from.tier.tier!.rank !== to.tier.tier!.rank;
      if (!isMove || pairs.has(key)) continue;
      const move = findMove(joint, from, to, comparison);
      if (!move) continue;
      pairs.add(key);
      const index = comparison.indexOf(to.tier.id);
      edits.push({
        code: 'tier_changed',
        side: 'newer',
        path: index < 0 ? '' : `/programs/${index}`,
        severity: 'note',
        message: `Moved from ${nameOf(from.tier)} to ${nameOf(to.tier)}: ${move.words}.`,
        example: move.home,
      });
    }
  }
  return edits;
}

function nameOf({ id, tier }: Program): string {
  return `"${tier!.name ?? id}"`;
}

function findMove(
  { program, placeNames }: JointProgram,
  from: TierHomes,
  to: TierHomes,
  { at, allowance, before, after }: TierComparison,
): { readonly words: string; readonly home: ExampleHome } | undefined {
  const whole = wholeBox(program);
  const without = widestTerms([...from.without, ...to.without]);
  const fullOf = (axis: number) => (axis === PLACE ? program.place.full : program.axes[axis]!.axis.full);
  const terms = productOf([from.within, to.within], whole) ?? [];
  for (const term of terms.flatMap((each) => withoutWithin(each, without, fullOf))) {
    const inside = meet(whole, term);
    const result = inside ? covered(inside, without, allowance) : 'yes';
    if (typeof result !== 'object') continue;
    const example = findExample(program, result.open, at, (property) => {
      return before.evaluate(property)?.tier?.id === from.tier.id && after.evaluate(property)?.tier?.id === to.tier.id;
    });
    if (example) return { words: wordsOfTerm(term, program, placeNames), home: example.home };
  }
  return undefined;
}

function homesOf({ program }: JointProgram, { tiers, declining }: Side): TierHomes[] {
  const whole = wholeBox(program);
  const stops = declining.flatMap(({ kind, term }) => (kind === 'rule' ? [] : [term]));
  const outsideOr = (part: TierSide, withReferrals: boolean): readonly Term[] =>
    [...part.outside, ...part.declining, ...(withReferrals ? part.referring : [])].map(({ term }) => term);
  return tiers.flatMap((part): TierHomes[] => {
    const better = tiers.filter((each) => isBetter(each, part));
    const worse = tiers.filter((each) => isBetter(part, each));
    const { tier } = part;
    const eligible = productOf(
      better.map((each) => outsideOr(each, true)),
      whole,
    );
    const referral = productOf(
      [
        ...better.map((each) => outsideOr(each, false)),
        part.referring.map(({ term }) => term),
        ...worse.map((each) => outsideOr(each, true)),
      ],
      whole,
    );
    return [
      ...(eligible ? [{ tier: tier!, within: eligible, without: [...stops, ...outsideOr(part, true)] }] : []),
      ...(referral ? [{ tier: tier!, within: referral, without: [...stops, ...outsideOr(part, false)] }] : []),
    ];
  });
}
