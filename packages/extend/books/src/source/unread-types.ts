import { BookFileError } from './book-file-error.ts';

/** Refuses columns of types that are not read, by name. They matter only if they are used. */
export function unreadTypes(
  columns: readonly { readonly name: string; readonly typeName: string }[],
  file: string,
): BookFileError {
  const listed = columns.map(({ name, typeName }) => `column ${JSON.stringify(name)} is of type ${typeName}`);
  return new BookFileError(
    `${file}: ${listed.join(', ')}, which is not read. Write it as numbers, text or dates, or leave it out with "ignore" in the map of columns.`,
  );
}
