// The kernel of an artifact: evaluates homes by the table image. docs/artifact-format.md describes its functions and memory.
import { createPlans } from './evaluate';
import { checkImage } from './image';
import { readStateCodes } from './text';

export { evaluate, explain } from './evaluate';
export { allocate, mark, release } from './memory';
export { normalize } from './normalize';
export { find, findCounty as find_county } from './text';

export function abi_version(): i32 {
  return 1;
}

/** @returns 0 open, 1 not a table image, 2 made for a newer kernel, 3 damaged. */
export function open(image: usize, length: u32): i32 {
  const error = checkImage(image, length);
  if (error != 0) return error;
  return createPlans() && readStateCodes() ? 0 : 3;
}
