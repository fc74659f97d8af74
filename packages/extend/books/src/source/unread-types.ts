import { BookFileError } from './book-file-error.ts';

export function unreadTypes(
  columns: readonly { readonly name: string; readonly typeName: string }[],
  file: string,
): BookFileError {
  const list = columns.map(({ name, typeName }) => `column ${JSON.stringify(name)} is of type ${typeName}`);
  return new BookFileError(
    `${file}: ${list.join(', ')}, which is not supported. Write it as numbers, text or dates, or leave it out with "ignore" in the map of columns.`,
  );
}
