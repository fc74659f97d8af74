import { countyByFips } from '@leeward/places/counties';
import type { Fault } from '@leeward/terms';
import { coversCounty, fipsCovered } from './places.ts';
import type { Program } from './rule-set.ts';

/** For one policy type and county at most one program may fit: a carrier has one answer. */
export function programOverlaps(programs: readonly (Program | undefined)[]): Fault[] {
  const faults: Fault[] = [];
  /** Programs by state and policy type, those that overlap an earlier one left out. */
  const owners = new Map<string, Program[]>();
  programs.forEach((program, index) => {
    if (!program) return;
    const overlap = firstOverlap(program, owners);
    if (!overlap) return;
    const message = `The programs "${overlap.owner.id}" and "${program.id}" both answer ${overlap.where}; narrow one of them.`;
    faults.push({ path: `/programs/${index}`, code: 'program_overlap', message });
  });
  return faults;
}

/** Enters a program where it answers; the first place in which another one answers already. */
function firstOverlap(
  program: Program,
  owners: Map<string, Program[]>,
): { readonly owner: Program; readonly where: string } | undefined {
  let first: { owner: Program; where: string } | undefined;
  for (const state of new Set(program.places.states)) {
    for (const policyType of new Set(program.policyTypes)) {
      const key = `${state} ${policyType}`;
      const here = owners.get(key) ?? [];
      owners.set(key, here);
      const found = first ? undefined : sharedCounty(program, here, state);
      if (found) first = { owner: found.owner, where: `${policyType} in ${found.county}, ${state}` };
      if (!found) here.push(program);
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
