import type { ImportOptions, ImportReport } from './import-options.ts';

/**
 * Imports addresses and ranges of house numbers into an address book. Readers see the import in one step at the end; a failed import
 * leaves the book unchanged. A killed or aborted import resumes if the same files are imported again. Unusable rows are counted and
 * reported. At the end, the radii of estimated places are measured.
 *
 * @throws {AddressBookError} if a file has an unknown format, is truncated, lacks a column or has no usable row, or if another import is
 * running. Also throws an aborted signal's reason and errors of the file system.
 * @example
 * await importAddresses({ database: 'addresses.sqlite', from: 'miami.csv', source: 'us/fl/miami_dade' });
 */
export async function importAddresses(options: ImportOptions): Promise<ImportReport> {
  // Loaded on demand: a service that only reads books needs no importer.
  const { runImport } = await import('./run-import.ts');
  return runImport(options);
}
