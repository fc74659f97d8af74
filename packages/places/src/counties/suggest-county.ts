import type { County } from './county.ts';
import { findCounties } from './find-counties.ts';
import { spellOutSuffix, withoutFreeSuffix } from './legal-suffix.ts';
import { stateIndex } from './state-index.ts';
import { words } from './words.ts';

const maximumLetters = 40;

/**
 * The county of the state whose spelling is nearest to the text, for messages: the one meant if the text is a name
 * already, one whose name begins with it, or one that differs by at most a third of its letters; else undefined.
 */
export function suggestCounty(stateCode: string, text: string): County | undefined {
  const index = stateIndex(stateCode);
  if (index === undefined) return undefined;
  const [exact] = findCounties(stateCode, text);
  if (exact !== undefined) return exact;
  const name = spellOutSuffix(words(text));
  const wanted = (withoutFreeSuffix(stateCode, name) ?? name).join('');
  if (wanted.length < 2 || wanted.length > maximumLetters || /^\d+$/.test(wanted)) return undefined;

  let nearest: County | undefined;
  let fewest = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const [key, [county]] of index.byKey) {
    // A beginning counts as one letter off, so that a misspelling by one letter is as good and the first row wins.
    const edits = wanted.length >= 4 && key.startsWith(wanted) ? 1 : editDistance(wanted, key, fewest);
    if (edits >= fewest || county === undefined) continue;
    fewest = edits;
    nearest = county;
  }
  return nearest;
}

/** Letters to insert, delete, replace or swap with their neighbour (optimal string alignment); `limit` if that many or more. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        edits = Math.min(edits, beforeLast[column - 2]! + 1);
      }
      current.push(edits);
    }
    if (Math.min(...current) >= limit) return limit;
    beforeLast = last;
    last = current;
  }
  return last[right.length]!;
}
