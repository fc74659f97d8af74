export { condo } from './condo/condo.ts';
export { flood } from './flood/flood.ts';
export { carriersOfLine, shippedLines } from './shipped-lines.ts';
