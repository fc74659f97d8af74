import { type CandidateTree, LEAF, NOT_BUILT } from '../search/candidate-tree.ts';

/** In the order of building, so that the bytes do not depend on threads. */
export function copyTile(from: CandidateTree, cell: number, to: CandidateTree): void {
  const entry = from.table[cell]!;
  if (entry !== NOT_BUILT && to.table[cell] === NOT_BUILT) to.table[cell] = copyEntry(from, entry, to);
}

function copyEntry(from: CandidateTree, entry: number, to: CandidateTree): number {
  if (entry <= 0 || entry === LEAF) return entry;
  if (entry > LEAF) return copyLeaf(from, entry - LEAF, to);
  const block = to.extend(16);
  for (let child = 0; child < 16; child++) {
    const copied = copyEntry(from, from.pool[entry + child]!, to);
    to.pool[block + child] = copied;
  }
  return block;
}

function copyLeaf(from: CandidateTree, offset: number, to: CandidateTree): number {
  let end = offset;
  while ((from.pool[end]! & 1) === 0) end++;
  const length = end + 1 - offset;
  const copy = to.extend(length);
  to.pool.set(from.pool.subarray(offset, offset + length), copy);
  return LEAF + copy;
}
