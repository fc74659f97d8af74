import { countyByFips } from '@leeward/places/counties';
import type { Fault } from '@leeward/terms';
import { coversCounty, fipsCovered } from './places.ts';
import type { Program } from './rule-set.ts';

/** A carrier has one program for each policy type and county. */
export function programOverlaps(programs: readonly (Program | undefined)[]): Fault[] {
  const faults: Fault[] = [];
  /** By state and policy type, without those that overlap an earlier one. */
  const owners = new Map<string, Program[]>();
  programs.forEach((program, index) => {
    if (!program) return;
    const overlap = firstOverlap(program, owners);
    if (!overlap) return;
    const message = `The programs "${overlap.owner.id}" and "${program.id}" both cover ${overlap.where}; narrow one of them.`;
    faults.push({ path: `/programs/${index}`, code: 'program_overlap', message });
  });
  return faults;
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
      const shared = first ? undefined : sharedCounty(program, owned, state);
      if (shared) first = { owner: shared.owner, where: `${policyType} in ${shared.county}, ${state}` };
      if (!shared) owned.push(program);
    }
  }
  return first;
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
