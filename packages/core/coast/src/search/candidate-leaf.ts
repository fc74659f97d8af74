import { accepts, type LayerSelection } from '../shoreline/layer-selection.ts';
import { type CandidateTree, entryOfItem, LEAF, MAX_GAP, MAX_ITEM_LENGTH, packItem } from './candidate-tree.ts';

export function appendLeaf(
  layers: Uint16Array,
  selection: LayerSelection,
  list: Int32Array,
  from: number,
  length: number,
  into: CandidateTree,
): number {
  const offset = into.length;
  for (let item = 0; item < length; ) {
    const start = list[from + item++]!;
    let end = start + 1;
    for (; item < length; item++) {
      const next = list[from + item]!;
      if (next - end > MAX_GAP || next + 1 - start > MAX_ITEM_LENGTH) break;
      let canJoin = true;
      for (let gap = end; gap < next; gap++) canJoin &&= accepts(selection, layers[gap]!);
      if (!canJoin) break;
      end = next + 1;
    }
    const packed = packItem(start, end - start, item === length);
    if (item === length && into.length === offset) return entryOfItem(packed);
    const at = into.extend(1);
    into.pool[at] = packed;
  }
  return LEAF + offset;
}
