import {
  type Box,
  type CompiledProgram,
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
import type { ExampleHome } from '../finding/finding.ts';
import { wordsOfCells, wordsOfTypes } from '../finding/words-of-term.ts';
import { type AnalysisContext, confirmed } from './analysis-context.ts';

/** Finds homes without a rule, counties without a program, and policy types that no program offers. */
export function findGaps(context: AnalysisContext): void {
  const { ruleSet, programs, findings } = context;
  const offered = new Set(ruleSet.programs.flatMap((program) => program.policyTypes));
  const vocabulary = programs[0]?.vocabulary;
  const notOffered = (vocabulary?.policyTypes ?? []).filter((policyType) => !offered.has(policyType));
  if (notOffered.length > 0) {
    findings.push({
      code: 'gap_policy_type',
      path: '/programs',
      severity: 'note',
      message: `No program offers ${wordsOfTypes(notOffered)}.`,
      policyTypes: notOffered,
    });
  }
  findTerritoryGaps(context);
  for (const program of ruleSet.programs) findRuleGap(context, program);
}

/** Counties without a program, in states where the policy type has one. */
function findTerritoryGaps(context: AnalysisContext): void {
  const gaps = new Map<
    string,
    { state: string; counties: string[]; policyTypes: string[]; path: string; example: ExampleHome }
  >();
  const tiers = new Set(context.ladders.flatMap((ladder) => ladder.tiers.map(({ compiled }) => compiled)));
  const wholes = [
    ...context.programs.filter((program) => !tiers.has(program)),
    ...context.ladders.map(({ whole }) => whole),
  ];
  for (const program of wholes) {
    for (const state of new Set(program.programs.flatMap(({ places }) => places.states ?? []))) {
      const writing = program.programs.filter(({ places }) => places.states?.includes(state));
      const outside = countiesOf(state).filter(
        ({ fips }) => !writing.some(({ places }) => coversCounty(places, state, fips)),
      );
      if (outside.length === 0) continue;
      const counties = outside.map(({ label }) => label);
      const key = `${state} ${counties.join()}`;
      const gap = gaps.get(key);
      if (gap) {
        gap.policyTypes.push(program.policyType);
        continue;
      }
      const cells = setOf(program.place.size, (cell) => {
        const place = program.place.samples[cell]!;
        return place.state === state && has(program.territory, cell);
      });
      const example = confirmed(context, program, wholeBox(program, cells), ({ status, holding }) => {
        return status === 'ineligible' && holding.size === 0;
      });
      if (!example) continue;
      const path = `/programs/${context.ruleSet.programs.indexOf(writing[0]!)}/counties/${state}`;
      gaps.set(key, { state, counties, policyTypes: [program.policyType], path, example });
    }
  }
  for (const { state, counties, policyTypes, path, example } of gaps.values()) {
    const names = counties.slice(0, 8).join(', ');
    const omitted = counties.length > 8 ? ` and ${counties.length - 8} more` : '';
    context.findings.push({
      code: 'gap_territory',
      path,
      severity: 'note',
      message: `${wordsOfTypes(policyTypes)} ${policyTypes.length === 1 ? 'is' : 'are'} written in ${state.toUpperCase()}, but no program takes ${counties.length} of its counties: ${names}${omitted}.`,
      policyTypes,
      example,
    });
  }
}

/** Homes of a program for which no rule holds, so that they are eligible without notes. */
function findRuleGap(context: AnalysisContext, written: Program): void {
  const gaps = new Map<string, { policyTypes: string[]; example: ExampleHome }>();
  for (const program of context.programs.filter((each) => each.programs.includes(written))) {
    const places = program.place.cellsWhere((place) => covers(written.places, place));
    if (isEmpty(places)) continue;
    const terms = program.rules.flatMap((each) => each.terms);
    const whole = wholeBox(program, places);
    const result = covered(whole, terms, context.allowance);
    if (result === 'yes' || result === 'unknown') continue;
    const example = confirmed(context, program, result.open, ({ holding }) => holding.size === 0);
    if (!example) continue;
    const words = openValues(context, program, whole, result.open).join('; ');
    const gap = gaps.get(words);
    if (gap) gap.policyTypes.push(program.policyType);
    else gaps.set(words, { policyTypes: [program.policyType], example });
  }
  const index = context.ruleSet.programs.indexOf(written);
  for (const [words, { policyTypes, example }] of gaps) {
    context.findings.push({
      code: 'gap_rules',
      path: `/programs/${index}`,
      severity: 'note',
      message: `No rule holds for some homes of "${written.id}" (${wordsOfTypes(policyTypes)}), so they are eligible. They have: ${words === '' ? 'any value of any field' : words}.`,
      policyTypes,
      example,
    });
  }
}

/** In words, the values of each tested field in homes without a rule. */
function openValues(context: AnalysisContext, program: CompiledProgram, whole: Box, first: Box): string[] {
  const terms = program.rules.flatMap((each) => each.terms);
  const open = whole.map((cells) => emptySet(32 * cells!.length));
  const addBox = (box: Box) => {
    for (const [axis, cells] of box.entries()) open[axis] = union(open[axis]!, cells!);
  };
  addBox(first);
  const words: string[] = [];
  program.axes.forEach((entry, axis) => {
    if (entry?.test) return;
    const all = whole[axis]!;
    for (let left = difference(all, open[axis]!); !isEmpty(left); left = difference(all, open[axis]!)) {
      const result = covered(withAxis(whole, axis, left), terms, context.allowance);
      if (result === 'yes') break;
      addBox(result === 'unknown' ? withAxis(whole, axis, left) : result.open);
    }
    if (!isSame(open[axis]!, all)) words.push(wordsOfCells(axis, open[axis]!, program));
  });
  return words;
}
