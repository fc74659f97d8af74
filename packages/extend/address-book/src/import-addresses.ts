import type { ImportOptions, ImportReport } from './import-options.ts';

/**
 * Imports addresses and ranges of house numbers into an address book, beside what readers see, and shows them in one step at
 * the end: an import that fails leaves the book as it was. One that is killed or aborted goes on where it was, if the same is
 * imported again from the same files. A row that cannot be used is counted, named and left out. At the end the radii of
 * reckoned places are measured on the book (`measureRadii`).
 *
 * Errors: `AddressBookError` when a file is of another kind, cut off, lacks a column or holds nothing that can be used, and
 * where another import is at work; the reason of an aborted signal; the file system's own errors.
 */
export async function importAddresses(options: ImportOptions): Promise<ImportReport> {
  // A service asks what was imported: it loads nothing that reads shapefiles, archives and tables.
  const { runImport } = await import('./run-import.ts');
  return runImport(options);
}
