import type { Program } from './rule-set.ts';

/** A tier, or the programs of a carrier that are not tiers. Ladders do not overlap. */
export interface LadderPart {
  /** Undefined for the programs without a tier. */
  readonly tier: Program | undefined;
  readonly programs: readonly Program[];
}

/** True if some program is a tier. */
export function hasTiers(programs: readonly Program[]): boolean {
  return programs.some(({ tier }) => tier);
}

/** One part for each tier, best first, and one for all programs without a tier. */
export function ladderParts(programs: readonly Program[]): LadderPart[] {
  const tiers = programs.filter(({ tier }) => tier).sort((a, b) => a.tier!.rank - b.tier!.rank);
  const others = programs.filter(({ tier }) => !tier);
  return [
    ...tiers.map((tier) => ({ tier, programs: [tier] })),
    ...(others.length > 0 ? [{ tier: undefined, programs: others }] : []),
  ];
}

/** True if the first part is a better tier of the same ladder. */
export function isBetter({ tier: one }: Pick<LadderPart, 'tier'>, { tier: other }: Pick<LadderPart, 'tier'>): boolean {
  return one?.tier !== undefined && one.tier.of === other?.tier?.of && one.tier.rank < other.tier.rank;
}
