import {
  type Box,
  type CompiledProgram,
  countyName,
  covers,
  coversCounty,
  difference,
  emptySet,
  has,
  isEmpty,
  isSame,
  type Program,
  setOf,
  union,
} from '@leeward/engine/compiled';
import { countiesOf } from '@leeward/places/counties';
import { covered, wholeBox, withAxis } from '../finding/boxes.ts';
import type { WitnessHome } from '../finding/finding.ts';
import { wordsOfCells } from '../finding/words-of-term.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';

/** Homes of which nothing is said: by no rule, by no program of the county, by no program at all. */
export function findGaps(context: AnalysisContext): void {
  const { ruleSet, programs, findings } = context;
  const offered = new Set(ruleSet.programs.flatMap((program) => program.policyTypes));
  const vocabulary = programs[0]?.vocabulary;
  const absent = (vocabulary?.policyTypes ?? []).filter((policyType) => !offered.has(policyType));
  if (absent.length > 0) {
    findings.push({
      code: 'gap_policy_type',
      path: '/programs',
      severity: 'note',
      message: `No program offers ${absent.join(', ')}: every home is not offered there.`,
      policyTypes: absent,
    });
  }
  findTerritoryGaps(context);
  for (const program of ruleSet.programs) findRuleGap(context, program);
}

/** Counties of a state in which a policy type is written, but by none of its programs. */
function findTerritoryGaps(context: AnalysisContext): void {
  const gaps = new Map<
    string,
    { state: string; counties: string[]; policyTypes: string[]; path: string; witness: WitnessHome }
  >();
  for (const program of context.programs) {
    for (const state of new Set(program.programs.flatMap(({ places }) => places.states ?? []))) {
      const writing = program.programs.filter(({ places }) => places.states?.includes(state));
      const outside = countiesOf(state).filter(
        ({ fips }) => !writing.some(({ places }) => coversCounty(places, state, fips)),
      );
      if (outside.length === 0) continue;
      const counties = outside.map(({ fips }) => countyName(state, fips));
      const key = `${state} ${counties.join()}`;
      const known = gaps.get(key);
      if (known) {
        known.policyTypes.push(program.policyType);
        continue;
      }
      const cells = setOf(program.place.size, (cell) => {
        const place = program.place.samples[cell]!;
        return place.state === state && has(program.territory, cell);
      });
      const witness = confirmed(context, program, wholeBox(program, cells), ({ status, holding }) => {
        return status === 'ineligible' && holding.size === 0;
      });
      if (!witness) continue;
      const path = `/programs/${context.ruleSet.programs.indexOf(writing[0]!)}/counties/${state}`;
      gaps.set(key, { state, counties, policyTypes: [program.policyType], path, witness });
    }
  }
  for (const { state, counties, policyTypes, path, witness } of gaps.values()) {
    const shown = counties.slice(0, 8).join(', ');
    const rest = counties.length > 8 ? ` and ${counties.length - 8} more` : '';
    context.findings.push({
      code: 'gap_territory',
      path,
      severity: 'note',
      message: `${policyTypes.join(', ')} ${policyTypes.length === 1 ? 'is' : 'are'} written in ${state.toUpperCase()}, but no program takes ${counties.length} of its counties: ${shown}${rest}.`,
      policyTypes,
      witness,
    });
  }
}

/** Homes of a program of which no rule says anything: they are taken without a word. */
function findRuleGap(context: AnalysisContext, written: Program): void {
  const gaps = new Map<string, { policyTypes: string[]; witness: WitnessHome }>();
  for (const program of context.programs.filter((each) => each.programs.includes(written))) {
    const places = program.place.cellsWhere((place) => covers(written.places, place));
    if (isEmpty(places)) continue;
    const terms = program.rules.flatMap((each) => each.terms);
    const whole = wholeBox(program, places);
    const found = covered(whole, terms, context.allowance);
    if (found === 'yes' || found === 'unknown') continue;
    const witness = confirmed(context, program, found.open, ({ holding }) => holding.size === 0);
    if (!witness) continue;
    const words = openValues(context, program, whole, found.open).join('; ');
    const known = gaps.get(words);
    if (known) known.policyTypes.push(program.policyType);
    else gaps.set(words, { policyTypes: [program.policyType], witness });
  }
  const index = context.ruleSet.programs.indexOf(written);
  for (const [words, { policyTypes, witness }] of gaps) {
    context.findings.push({
      code: 'gap_rules',
      path: `/programs/${index}`,
      severity: 'note',
      message: `No rule speaks of some homes of "${written.id}" (${policyTypes.join(', ')}), so they are eligible. They have: ${words === '' ? 'any value of any field' : words}.`,
      policyTypes,
      witness,
    });
  }
}

/** For each field that is tested, the values at which a home can be that no rule speaks of. */
function openValues(context: AnalysisContext, program: CompiledProgram, whole: Box, first: Box): string[] {
  const terms = program.rules.flatMap((each) => each.terms);
  // A box that no rule speaks of tells it of its values on every axis.
  const open = whole.map((cells) => emptySet(32 * cells!.length));
  const addBox = (box: Box) => {
    for (const [axis, cells] of box.entries()) open[axis] = union(open[axis]!, cells!);
  };
  addBox(first);
  const words: string[] = [];
  program.axes.forEach((known, axis) => {
    if (known?.test) return;
    const all = whole[axis]!;
    for (let left = difference(all, open[axis]!); !isEmpty(left); left = difference(all, open[axis]!)) {
      const found = covered(withAxis(whole, axis, left), terms, context.allowance);
      if (found === 'yes') break;
      addBox(found === 'unknown' ? withAxis(whole, axis, left) : found.open);
    }
    if (!isSame(open[axis]!, all)) words.push(wordsOfCells(axis, open[axis]!, program));
  });
  return words;
}
