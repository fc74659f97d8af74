/** The words that people read instead of codes, without the rest of the package: for pages, which load little. */
export {
  type CodeKind,
  capitalized,
  codeWords,
  wordOf,
  writeDataset,
  writeWord,
} from './code-words.ts';
export {
  type QuantityOptions,
  unitFor,
  writeLength,
  writeLimits,
  writeQuantity,
  writeRange,
} from './write-quantity.ts';
export { writeTime } from './write-time.ts';
