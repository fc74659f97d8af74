/**
 * The only file that imports private modules of hyparquet. Its public functions return rows or whole columns of values, one
 * string a cell. Books decode pages: a dictionary stays a dictionary, so a word is created once a row group. Reading ten columns of
 * 200,000 rows takes 10 ms of processor time instead of 95. `package.json` pins the version of these modules, and a test fails if
 * another one is installed.
 */
export { parquetHeader, readColumn, readPage } from 'hyparquet/src/column.js';
export { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
export { decompressPage } from 'hyparquet/src/datapage.js';
