import canonicalize from 'canonicalize';
import type { Area } from '../area/area.ts';
import { type Aggregate, type Computed, type Operand, type Tree, valueFact } from './condition.ts';

/**
 * The name of a computed fact: its canonical JSON in the rule format. Facts that are computed in the same way have the
 * same name, in any file.
 */
export function nameOfComputed(computed: Computed): string {
  let name = names.get(computed);
  if (name === undefined) {
    name = createName(computed);
    names.set(computed, name);
  }
  return name;
}

const names = new WeakMap<Computed, string>();

function createName(computed: Computed): string {
  // Two files may give one name to different areas, and one area different names.
  return canonicalize(writeOperand(computed, ({ sha256 }) => ({ sha256 })))!;
}

/**
 * Returns an operand as rule files write it.
 *
 * @param identify writes an area. @default its name
 */
export function writeOperand(operand: Operand, identify: (area: Area) => unknown = ({ name }) => name): unknown {
  switch (operand.kind) {
    case 'number':
      return operand.value;
    case 'fact':
    case 'moment':
      return { fact: operand.fact };
    case 'aggregate':
      return writeAggregate(operand);
    case 'evidence':
      return { fact: `${operand.subject}.${operand.of}`, ...(operand.words ? { in: operand.words } : {}) };
    case 'operation':
      return { [operand.apply]: operand.of.map((each) => writeOperand(each, identify)) };
    case 'area':
      return { [operand.apply === 'miles' ? 'miles_to' : 'entirely_within']: identify(operand.area) };
  }
}

function writeAggregate({ apply, list, field, where }: Aggregate): Record<string, unknown> {
  return {
    [apply]: list.name,
    ...(field === undefined ? {} : { of: field }),
    ...(where === undefined ? {} : { where: writeTree(where) }),
  };
}

function writeTree(tree: Tree): unknown {
  if (tree.kind === 'not') return { not: writeTree(tree.of) };
  if (tree.kind !== 'leaf') return { [tree.kind]: tree.of.map(writeTree) };
  const { fact, operator, value } = tree.written;
  return { fact, operator, value: valueFact(value) ?? value };
}
