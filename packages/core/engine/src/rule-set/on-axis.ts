import type { Leaf } from '../condition/condition.ts';
import type { ParsedOperator } from '../condition/operators.ts';
import { axisFactOf, type FactReference, unitOf } from '../vocabulary/fact-index.ts';
import type { RangeForm, ValueForm } from '../vocabulary/field.ts';
import { formOf } from './check-constant.ts';
import { countiesOfValue } from './places.ts';

/**
 * Converts a test to the axis of its fact: counties to FIPS codes, limits in miles or feet to meters, dates to days.
 */
export function onAxis(
  leaf: Leaf,
  reference: FactReference,
  otherReference: FactReference | undefined,
  parsed: ParsedOperator,
): Leaf {
  const form = formOf(reference);
  if (form && reference.kind === 'field') {
    const fact = axisFactOf(reference.field);
    if (otherReference)
      return otherReference.kind === 'field'
        ? { ...leaf, fact, value: { fact: axisFactOf(otherReference.field) } }
        : leaf;
    const ranges = form.range && parsed.base.shape === 'list' ? rangesOf(leaf.value, form.range) : undefined;
    if (ranges) {
      const operator = parsed.base.name === 'in' ? 'inRanges' : 'notInRanges';
      return { ...leaf, fact, operator: [...parsed.decorators, operator].join(':'), value: ranges };
    }
    return { ...leaf, fact, value: readDeep(leaf.value, form) };
  }
  if (otherReference) {
    // In one unit, comparing the numbers equals comparing meters; in two units, the plain numbers are compared.
    const alike = scaleOf(reference) && scaleOf(otherReference) && unitOf(reference) === unitOf(otherReference);
    if (!alike || reference.kind === 'place' || otherReference.kind === 'place') return leaf;
    return { ...leaf, fact: reference.field.name, value: { fact: otherReference.field.name } };
  }
  if (reference.kind === 'place') return reference.name === 'county' ? countyLeaf(leaf, parsed) : leaf;
  const scale = scaleOf(reference);
  if (!scale) return leaf;
  const values: readonly unknown[] = Array.isArray(leaf.value) ? leaf.value : [leaf.value];
  // Values that are not numbers are compared in ways that a change of unit would affect.
  if (!values.every((value) => typeof value === 'number')) return leaf;
  const scaled = values.map(scale);
  return { ...leaf, fact: reference.field.name, value: Array.isArray(leaf.value) ? scaled : scaled[0] };
}

/**
 * Returns the ranges of a list, ascending and merged, as the first and last value of each; undefined if every element is
 * a single value.
 */
function rangesOf(value: unknown, { read }: RangeForm): readonly number[] | undefined {
  const ranges = Array.isArray(value) ? value.map(read).filter((range) => range !== undefined) : [];
  if (ranges.every(([min, max]) => min === max)) return undefined;
  const ends: number[] = [];
  for (const [min, max] of ranges.sort(([a], [b]) => a - b)) {
    if (ends.length > 0 && min <= ends.at(-1)! + 1) ends[ends.length - 1] = Math.max(ends.at(-1)!, max);
    else ends.push(min, max);
  }
  return ends;
}

/** Converts constants from the form of their fact to its axis. */
function readDeep(value: unknown, form: ValueForm): unknown {
  return Array.isArray(value) ? value.map((each) => readDeep(each, form)) : (form.read(value) ?? value);
}

function scaleOf(reference: FactReference): ((constant: number) => number) | undefined {
  return reference.kind === 'derived' ? reference.derived.toField : undefined;
}

/** A county name can be ambiguous (Baltimore): equality then becomes membership. */
function countyLeaf(leaf: Leaf, { base, decorators }: ParsedOperator): Leaf {
  const fipsOf = (value: unknown): readonly unknown[] => {
    // A list within a list, under a decorator that takes the outer one apart.
    if (Array.isArray(value)) return [value.flatMap(fipsOf)];
    const matches = typeof value === 'string' ? countiesOfValue(value) : [];
    return matches.length === 0 ? [value] : matches;
  };
  if (Array.isArray(leaf.value)) return { ...leaf, value: leaf.value.flatMap(fipsOf) };
  const codes = fipsOf(leaf.value);
  if (codes.length === 1) return { ...leaf, value: codes[0] };
  if (base.shape !== 'equality') return leaf;
  const swapped = decorators.filter((decorator) => decorator === 'swap').length % 2 === 1;
  const [is, isNot] = swapped ? ['contains', 'doesNotContain'] : ['in', 'notIn'];
  return { ...leaf, operator: [...decorators, base.name === 'equal' ? is : isNot].join(':'), value: codes };
}
