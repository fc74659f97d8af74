import type { Leaf } from '../condition/condition.ts';
import type { ParsedOperator } from '../condition/operators.ts';
import { axisFactOf, type FactReference, unitOf } from '../vocabulary/fact-index.ts';
import type { ValueForm } from '../vocabulary/field.ts';
import { formOf } from './check-constant.ts';
import { countiesOfValue } from './places.ts';

/** Writes a test on the axis of its fact: counties as FIPS codes, limits in miles or feet as metres, dates as days. */
export function onAxis(
  leaf: Leaf,
  reference: FactReference,
  there: FactReference | undefined,
  parsed: ParsedOperator,
): Leaf {
  const form = formOf(reference);
  if (form && reference.kind === 'field') {
    const fact = axisFactOf(reference.field);
    if (there) return there.kind === 'field' ? { ...leaf, fact, value: { fact: axisFactOf(there.field) } } : leaf;
    return { ...leaf, fact, value: readDeep(leaf.value, form) };
  }
  if (there) {
    // In one unit, the numbers compare as the metres do; in two, they are compared as the numbers they are.
    const alike = scaleOf(reference) && scaleOf(there) && unitOf(reference) === unitOf(there);
    if (!alike || reference.kind === 'place' || there.kind === 'place') return leaf;
    return { ...leaf, fact: reference.field.name, value: { fact: there.field.name } };
  }
  if (reference.kind === 'place') return reference.name === 'county' ? countyLeaf(leaf, parsed) : leaf;
  const scale = scaleOf(reference);
  if (!scale) return leaf;
  const values: readonly unknown[] = Array.isArray(leaf.value) ? leaf.value : [leaf.value];
  // Anything but numbers is compared in ways that a change of unit would change.
  if (!values.every((value) => typeof value === 'number')) return leaf;
  const scaled = values.map(scale);
  return { ...leaf, fact: reference.field.name, value: Array.isArray(leaf.value) ? scaled : scaled[0] };
}

/** Constants in the form of their fact, as its axis has them. */
function readDeep(value: unknown, form: ValueForm): unknown {
  return Array.isArray(value) ? value.map((each) => readDeep(each, form)) : (form.read(value) ?? value);
}

function scaleOf(reference: FactReference): ((constant: number) => number) | undefined {
  return reference.kind === 'derived' ? reference.derived.toField : undefined;
}

/** A bare name may mean two counties (Baltimore): a test of equality is then a test of membership. */
function countyLeaf(leaf: Leaf, { base, decorators }: ParsedOperator): Leaf {
  const fipsOf = (value: unknown): readonly unknown[] => {
    // A list within a list, under a decorator that takes the outer one apart.
    if (Array.isArray(value)) return [value.flatMap(fipsOf)];
    const found = typeof value === 'string' ? countiesOfValue(value) : [];
    return found.length === 0 ? [value] : found;
  };
  if (Array.isArray(leaf.value)) return { ...leaf, value: leaf.value.flatMap(fipsOf) };
  const meant = fipsOf(leaf.value);
  if (meant.length === 1) return { ...leaf, value: meant[0] };
  if (base.shape !== 'equality') return leaf;
  const swapped = decorators.filter((decorator) => decorator === 'swap').length % 2 === 1;
  const [is, isNot] = swapped ? ['contains', 'doesNotContain'] : ['in', 'notIn'];
  return { ...leaf, operator: [...decorators, base.name === 'equal' ? is : isNot].join(':'), value: meant };
}
