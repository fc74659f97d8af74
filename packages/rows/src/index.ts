export type { RowSource } from './byte-chunks.ts';
export { harmless, readCells, writeCells } from './csv-cells.ts';
export { type OpenRowsOptions, openRows, type Recognized, type RowFile, type RowFormat } from './open-rows.ts';
export { openTable, type TableFile } from './open-table.ts';
export type { CsvRow, FaultyRow, JsonRow, Row, RowFault } from './row.ts';
export { RowFileError, type RowFileErrorCode } from './row-file-error.ts';
export { tellRecognized } from './tell-recognized.ts';
