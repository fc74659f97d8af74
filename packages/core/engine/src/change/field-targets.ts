import { isNumberAxis } from '../compiled/axis.ts';
import { type CellSet, cellsOf } from '../compiled/cell-set.ts';
import { cellOfNumber } from '../compiled/encoder.ts';
import type { RuleTable } from '../decide/rule-table.ts';
import type { Property } from '../request/property.ts';
import type { LaidOutField } from './change-layout.ts';
import { allowedCells, type ChangeableField, type FieldTargets, reachOf } from './changeable-field.ts';
import { allBits, take } from './term-bits.ts';

/** The targets of a field without tests between two facts. Cached for all properties with the same reachable cells. */
export function fieldTargets(laidOut: LaidOutField, table: RuleTable, property: Property): FieldTargets {
  const { index, axisNumber, targetsByKey } = laidOut;
  const axis = laidOut.axis!;
  const { encoder } = table.axes[axisNumber]!;
  const value = property.values[index];
  let key = -1;
  let reach: ReturnType<typeof reachOf>;
  if (isNumberAxis(axis)) {
    reach = reachOf(index, axis, property);
    if (reach && encoder?.kind === 'number')
      key = cellOfNumber(encoder, reach.min) * axis.size + cellOfNumber(encoder, reach.max);
  } else if (typeof value === 'string' && encoder?.kind === 'word') key = encoder.cells.get(value) ?? -1;
  const cached = targetsByKey.get(key);
  if (cached) return cached;
  const targets = targetsOn(
    allowedCells(property.vocabulary.fields[index]!, axis, value, reach),
    table,
    axisNumber,
    (cell) => cell,
  );
  targetsByKey.set(key, targets);
  return targets;
}

export function finerTargets(
  { axis, allowed }: ChangeableField,
  laidOut: LaidOutField,
  table: RuleTable,
): FieldTargets {
  const tableAxis = laidOut.axis;
  if (!tableAxis) return { allowed, cells: cellsOf(allowed), everywhere: allBits(table.words) };
  return targetsOn(allowed, table, laidOut.axisNumber, (cell) =>
    tableAxis === axis ? cell : tableAxis.cellOf(axis.samples[cell]),
  );
}

function targetsOn(
  allowed: CellSet,
  { rows, axes, words }: RuleTable,
  axisNumber: number,
  cellInTable: (cell: number) => number,
): FieldTargets {
  const { rowOfCell } = axes[axisNumber]!;
  const everywhere = allBits(words);
  const cells = cellsOf(allowed);
  for (const cell of cells) take(everywhere, rows, rowOfCell[cellInTable(cell)]!);
  return { allowed, cells, everywhere };
}
