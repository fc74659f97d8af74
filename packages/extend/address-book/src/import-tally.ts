import type { ImportFinding, ImportReport } from './import-options.ts';
import type { InputRow, RejectionCode, RowFinding } from './input/address-input.ts';

const MAX_EXAMPLES = 10;

export type Tally = Pick<
  ImportReport,
  'rowsRead' | 'houses' | 'ranges' | 'duplicates' | 'zipsByPosition' | 'rejected' | 'doubtful' | 'examples'
>;

/** Counts what became of rows. It can be written down and taken up again. */
export interface ImportTally {
  count(row: InputRow, added: { readonly houses: number; readonly ranges: number }): void;
  soFar(): Tally;
}

export function createImportTally(begun: Tally | undefined): ImportTally {
  let { rowsRead, houses, ranges, duplicates, zipsByPosition } = begun ?? {
    rowsRead: 0,
    houses: 0,
    ranges: 0,
    duplicates: 0,
    zipsByPosition: 0,
  };
  const rejected: Partial<Record<RejectionCode, number>> = { ...begun?.rejected };
  const doubtful: Partial<Record<RejectionCode, number>> = { ...begun?.doubtful };
  const examples: ImportFinding[] = [...(begun?.examples ?? [])];
  const note = (counts: Partial<Record<RejectionCode, number>>, { file, row }: InputRow, found: RowFinding) => {
    counts[found.code] = (counts[found.code] ?? 0) + 1;
    if (examples.length < MAX_EXAMPLES) examples.push({ file, row, ...found });
  };
  return {
    count(row, added) {
      rowsRead += 1;
      houses += added.houses;
      ranges += added.ranges;
      duplicates += row.houses.length + row.ranges.length - added.houses - added.ranges;
      if ([...row.houses, ...row.ranges].some(({ isZipFromPosition }) => isZipFromPosition)) zipsByPosition += 1;
      for (const found of row.rejected) note(rejected, row, found);
      for (const found of row.doubtful) note(doubtful, row, found);
    },
    soFar: () => ({ rowsRead, houses, ranges, duplicates, zipsByPosition, rejected, doubtful, examples }),
  };
}
