import type { Property, Vocabulary, WrittenItem } from '@leeward/engine';
import {
  type Aggregate,
  type Box,
  type CellSet,
  type CompiledProgram,
  cellsOf,
  findItem,
  type ProgramAxis,
  readComputed,
  sourceOfProperty,
} from '@leeward/engine/compiled';
import { subjectsOf } from './example-evidence.ts';

/** Lists of an example home, by name. */
export type ExampleLists = Readonly<Record<string, readonly WrittenItem[]>>;

/** Maximum number of items added to reach a box. */
const MAX_STEPS = 40;

/**
 * Finds lists whose counts, sums, minimums and maximums are in a box: items are added until each is. Not every box has
 * such lists, and not all are found; the caller verifies the home.
 *
 * @param targets exact numbers, by name of the axis
 */
export function listsInBox(
  program: CompiledProgram,
  box: Box,
  effectiveDate: string,
  targets: ReadonlyMap<string, number | string> = new Map(),
): ExampleLists {
  const axes = program.axes.flatMap((entry, axis) => {
    // The host gives events.
    if (entry?.computed?.kind !== 'aggregate' || entry.computed.list.isFromHost) return [];
    return [{ entry, aggregate: entry.computed, cells: box[axis]! }];
  });
  const lists: Record<string, WrittenItem[]> = {};
  for (const name of listsOf(program)) lists[name] = [];
  for (let step = 0; step < MAX_STEPS; step++) {
    const open = axes.find(({ entry, aggregate, cells }) => {
      const value = numberOf(aggregate, program, lists, effectiveDate);
      return !has(entry, cells, value) || value !== (targets.get(entry.axis.name) ?? value);
    });
    if (!open) break;
    const { entry, aggregate, cells } = open;
    const value = numberOf(aggregate, program, lists, effectiveDate);
    const exact = targets.get(entry.axis.name);
    const target = typeof exact === 'number' ? exact : targetNear(entry, cells, value);
    const number =
      aggregate.apply === 'count' ? undefined : aggregate.apply === 'sum' ? Math.max(0, target - value) : target;
    const item = findItem(aggregate, true, number, effectiveDate);
    const items = lists[aggregate.list.name]!;
    // A count or a sum that is too large cannot be lowered by more items.
    if (!item || items.length >= aggregate.list.maxItems || (aggregate.apply === 'count' && target < value)) break;
    items.push(item);
  }
  return lists;
}

/** Names of the lists that the rules of a program use, also inside arithmetic. */
function listsOf(program: CompiledProgram): readonly string[] {
  const { axes, vocabulary } = program;
  const names = new Set(axes.flatMap((entry) => (entry?.computed ? entry.missingNames : [])));
  for (const name of subjectsOf(program).lists) names.add(name);
  return (vocabulary.lists ?? []).flatMap(({ name }) => (names.has(name) ? [name] : []));
}

function numberOf(
  aggregate: Aggregate,
  { vocabulary }: { readonly vocabulary: Vocabulary },
  lists: ExampleLists,
  effectiveDate: string,
): number {
  const source = {
    vocabulary,
    effectiveDate,
    knowledgeOf: () => undefined,
    listOf: (name: string) => lists[name]?.slice(),
  };
  return readComputed(aggregate, source).min;
}

function has({ axis }: ProgramAxis, cells: CellSet, value: number): boolean {
  const cell = axis.cellOf(value);
  return cell >= 0 && ((cells[cell >>> 5]! >>> (cell & 31)) & 1) === 1;
}

/** Returns a number of the cells: the nearest sample. */
function targetNear({ axis }: ProgramAxis, cells: CellSet, value: number): number {
  let nearest = Number.NaN;
  for (const cell of cellsOf(cells)) {
    const sample = axis.samples[cell] as number;
    if (Number.isNaN(nearest) || Math.abs(sample - value) < Math.abs(nearest - value)) nearest = sample;
  }
  return nearest;
}

/** True if a computed fact of a property is in some cells of its axis. */
export function isInBox(entry: ProgramAxis, cells: CellSet, property: Property | undefined): boolean {
  if (!property || !entry.computed) return false;
  const { min, max } = readComputed(entry.computed, sourceOfProperty(property));
  return min === max && has(entry, cells, min);
}
