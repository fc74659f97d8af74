import { didYouMean, quoteValue } from '@leeward/terms';
import type { Area } from '../area/area.ts';
import { nameOfComputed } from '../condition/computed-name.ts';
import type { AreaMeasure, Leaf, LeafCondition, Tree } from '../condition/condition.ts';
import { factIndex } from '../vocabulary/fact-index.ts';
import type { AreaUse, NamedArea } from './check-areas.ts';
import { readLeaf } from './check-leaf.ts';
import type { ConditionContext } from './condition-context.ts';

/** The name of the location in rules. */
export const LOCATION_FACT = 'location';
/** The operators of the location. */
export const areaOperators = ['within', 'entirelyWithin'] as const;

const AREA_OPERATOR = /^((?:not:){0,16})(within|entirelyWithin)$/;

/** True for a test of the location, unless the line or the host has a fact of that name. */
export function isAreaTest(
  { fact }: Readonly<Record<string, unknown>>,
  { vocabulary, host, list }: ConditionContext,
): boolean {
  return (
    fact === LOCATION_FACT &&
    !list &&
    !factIndex(vocabulary).names.includes(LOCATION_FACT) &&
    !host.facts.has(LOCATION_FACT)
  );
}

/**
 * Reads a test of the location. Within an area means a distance of 0; a list of ZIP codes is tested by the ZIP code of the home.
 */
export function readAreaTest(
  source: Record<string, unknown>,
  path: string,
  context: ConditionContext,
): Tree | undefined {
  const { faults } = context;
  const before = faults.length;
  for (const key of ['operator', 'value']) {
    if (Object.hasOwn(source, key)) continue;
    faults.push({ path, code: 'missing_key', message: `This test of "location" lacks ${key}.` });
  }
  for (const key of ['path', 'params']) {
    if (!Object.hasOwn(source, key)) continue;
    faults.push({
      path: `${path}/${key}`,
      code: 'misplaced_key',
      message: `A test of the location has no ${key}; leave it out.`,
    });
  }
  if (faults.length > before) return undefined;
  const { operator, value } = source;
  const [, negations = '', test] = (typeof operator === 'string' && AREA_OPERATOR.exec(operator)) || [];
  if (test === undefined) {
    const hint = typeof operator === 'string' ? didYouMean(operator, [...areaOperators, 'not:within']) : '';
    const message = `${quoteValue(operator)} does not suit the location; use within, entirelyWithin, not:within or not:entirelyWithin.${hint}`;
    faults.push({ path: `${path}/operator`, code: 'operator_not_for_kind', message });
  }
  const named = findArea(value, `${path}/value`, 'within', context);
  if (test === undefined || !named || named.kind === 'invalid') return undefined;
  const written = source as unknown as LeafCondition;
  if (named.kind === 'zipcodes') {
    const leaf = readLeaf({ fact: 'zipcode', operator: `${negations}in`, value: named.zipcodes }, path, context);
    return leaf?.kind === 'leaf' ? { ...leaf, written } : leaf;
  }
  const isEntire = test === 'entirelyWithin';
  return areaLeaf(named.area, isEntire ? 'entire' : 'miles', `${negations}equal`, isEntire ? 1 : 0, written);
}

function areaLeaf(
  area: Area,
  apply: AreaMeasure['apply'],
  operator: string,
  value: number,
  written: LeafCondition,
): Leaf {
  const computed: AreaMeasure = { kind: 'area', apply, area };
  return { kind: 'leaf', fact: nameOfComputed(computed), operator, value, computed, written };
}

/** Returns an area of the file and notes its use. Reports an unknown name. */
export function findArea(
  name: unknown,
  path: string,
  use: AreaUse,
  { areas, faults }: ConditionContext,
): NamedArea | undefined {
  const named = typeof name === 'string' ? areas?.byName.get(name) : undefined;
  if (typeof name === 'string' && named) {
    const used = areas!.uses.get(name) ?? new Set();
    areas!.uses.set(name, used.add(use));
    return named;
  }
  const names = [...(areas?.byName.keys() ?? [])];
  const choices =
    names.length === 0
      ? 'This file has no areas; define one in "areas": { "NAME": { "type": "Polygon", "coordinates": [ … ] } }.'
      : `Use one of: ${names.map(quoteValue).join(', ')}.`;
  const hint = typeof name === 'string' ? didYouMean(name, names) : '';
  faults.push({ path, code: 'unknown_area', message: `${quoteValue(name)} is not an area. ${choices}${hint}` });
  return undefined;
}
