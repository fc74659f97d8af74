import { countyByFips } from '@leeward/places/counties';
import { type Fault, quoteValue } from '@leeward/terms';
import { coversCounty, fipsCovered } from './places.ts';
import type { Program } from './rule-set.ts';

/** Maximum number of tiers of a ladder: a home that lacks fields is evaluated for combinations of them. */
export const MAX_TIERS = 8;

/** A carrier has one program for each policy type and county, or tiers of one ladder with different ranks. */
export function programOverlaps(programs: readonly (Program | undefined)[]): Fault[] {
  const faults: Fault[] = [];
  /** By state and policy type, without those that overlap an earlier one. */
  const owners = new Map<string, Program[]>();
  programs.forEach((program, index) => {
    if (!program) return;
    const overlap = firstOverlap(program, owners);
    if (!overlap) return;
    faults.push({ path: `/programs/${index}`, ...describeOverlap(overlap.owner, program, overlap.where) });
  });
  return [...faults, ...longLadders(programs)];
}

function describeOverlap(one: Program, other: Program, where: string): Pick<Fault, 'code' | 'message'> {
  const both = `The programs "${one.id}" and "${other.id}" both cover ${where}`;
  if (one.tier && other.tier && one.tier.of === other.tier.of) {
    const message = `${both} as rank ${one.tier.rank} of ${quoteValue(one.tier.of)}; give them different ranks, or narrow one of them.`;
    return { code: 'overlapping_tiers', message };
  }
  if (one.tier && other.tier) {
    const message = `${both}, but are tiers of different ladders, ${quoteValue(one.tier.of)} and ${quoteValue(other.tier.of)}; use one name in "of", or narrow one of them.`;
    return { code: 'overlapping_tiers', message };
  }
  const tiered = one.tier ?? other.tier;
  if (tiered) {
    const without = one.tier ? other : one;
    const message = `${both}, but "${without.id}" has no tier; make it a tier of ${quoteValue(tiered.of)}, or narrow one of them.`;
    return { code: 'program_overlap', message };
  }
  return { code: 'program_overlap', message: `${both}; narrow one of them.` };
}

/** Returns the first overlap with an earlier program. */
function firstOverlap(
  program: Program,
  owners: Map<string, Program[]>,
): { readonly owner: Program; readonly where: string } | undefined {
  let first: { owner: Program; where: string } | undefined;
  for (const state of new Set(program.places.states)) {
    for (const policyType of new Set(program.policyTypes)) {
      const key = `${state} ${policyType}`;
      const owned = owners.get(key) ?? [];
      owners.set(key, owned);
      const rivals = program.tier ? owned.filter((each) => !areTiers(each, program)) : owned;
      const shared = first ? undefined : sharedCounty(program, rivals, state);
      if (shared) first = { owner: shared.owner, where: `${policyType} in ${shared.county}, ${state}` };
      if (!shared) owned.push(program);
    }
  }
  return first;
}

/** True for tiers of one ladder with different ranks. */
function areTiers({ tier: one }: Program, { tier: other }: Program): boolean {
  return one !== undefined && other !== undefined && one.of === other.of && one.rank !== other.rank;
}

function sharedCounty(
  program: Program,
  others: readonly Program[],
  state: string,
): { readonly owner: Program; readonly county: string } | undefined {
  if (others.length === 0) return undefined;
  const covered = fipsCovered(program.places, state);
  for (const owner of others) {
    const fips = covered.find((each) => coversCounty(owner.places, state, each));
    if (fips !== undefined) return { owner, county: countyByFips(fips)?.label ?? fips };
  }
  return undefined;
}

function longLadders(programs: readonly (Program | undefined)[]): Fault[] {
  const ranks = new Map<string, Set<number>>();
  const faults: Fault[] = [];
  programs.forEach((program, index) => {
    if (!program?.tier) return;
    const { of, rank } = program.tier;
    const ofLadder = ranks.get(of) ?? new Set();
    ranks.set(of, ofLadder);
    if (ofLadder.size === MAX_TIERS && !ofLadder.has(rank)) {
      const message = `The ladder ${quoteValue(of)} has more than ${MAX_TIERS} ranks; combine tiers.`;
      faults.push({ path: `/programs/${index}/tier`, code: 'too_many_tiers', message });
    } else ofLadder.add(rank);
  });
  return faults;
}
