import { COAST_LAYERS, type CoastKernel, type MeterRanges, type PointColumns } from '../coast/create-coast-kernel.ts';
import type { Manifest } from '../format/manifest.ts';
import type { KernelColumn } from '../kernel/create-kernel.ts';

/**
 * Fills the distances of rows that have a point and no distance, with ranges. A distance of the row holds at every certainty.
 *
 * @param columns by input, in the order of the manifest
 */
export function measureInputs(
  { inputs, coast }: Pick<Manifest, 'inputs' | 'coast'>,
  kernel: CoastKernel,
  points: PointColumns,
  columns: readonly (KernelColumn | undefined)[],
): readonly (KernelColumn | undefined)[] {
  const parts = inputs.map(({ name }) => {
    const [field = '', certainty] = name.split('@');
    const layer = COAST_LAYERS[coast?.fields.indexOf(field) ?? -1];
    return layer && { layer, certainty: certainty === undefined ? undefined : Number(certainty) };
  });
  const certainties = [...new Set(parts.flatMap((part) => part?.certainty ?? []))];
  const { distances, bounds } = kernel.measure(points, certainties);
  return columns.map((column, number) => {
    const part = parts[number];
    if (!part) return column;
    const { layer, certainty } = part;
    const atCertainty = certainty === undefined || layer === 'mean_high_water' ? undefined : bounds.get(certainty);
    const ranges = atCertainty && layer !== 'mean_high_water' ? atCertainty[layer] : distances[layer];
    return withRanges(column ?? columns[inputs[number]!.base ?? number], ranges);
  });
}

function withRanges(column: KernelColumn | undefined, { minima, maxima }: MeterRanges): KernelColumn {
  if (!column) return { values: minima, upper: maxima };
  const { values, upper = values } = column;
  const isGiven = (row: number) => !Number.isNaN(values[row]!);
  return {
    values: minima.map((meters, row) => (isGiven(row) ? values[row]! : meters)),
    upper: maxima.map((meters, row) => (isGiven(row) ? upper[row]! : meters)),
  };
}
