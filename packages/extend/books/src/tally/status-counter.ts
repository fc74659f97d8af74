import { STATUS_CODES } from '@leeward/engine';

/** Counts the status codes of rows, carrier by carrier, into groups: `counts[(group × carriers + carrier) × codes + code]`. */
export interface StatusCounter {
  /** `groups`: by row, the group in which it is counted; −1 for none. */
  add(codes: Uint8Array, rows: number, groups: Int16Array, counts: Uint32Array): void;
}

const STATUS_COUNT = STATUS_CODES.length;
/** Maximum number of rows before a byte overflows. */
const MAX_TOGETHER = 255;
const ONES = 0x01_01_01_01;

/**
 * Adds up four carriers at a time, a byte each. The counts of the codes' binary digits, and of pairs of digits, give the count of each
 * code.
 */
export function createStatusCounter(carrierCount: number, groupCount: number): StatusCounter {
  const ends = new Int32Array(groupCount);
  let order = new Int32Array(0);
  const whole = carrierCount & ~3;

  /** Counts the rows `order[from]` to `order[to]` of one group. */
  const addTogether = (view: DataView, from: number, to: number, counts: Uint32Array, base: number) => {
    for (let carrier = 0; carrier < whole; carrier += 4) {
      let ones = 0;
      let twos = 0;
      let fours = 0;
      let threes = 0;
      let fives = 0;
      for (let index = from; index < to; index++) {
        const codes = view.getInt32((order[index]! + carrier) | 0, true);
        const one = codes & ONES;
        const two = (codes >>> 1) & ONES;
        const four = (codes >>> 2) & ONES;
        ones = (ones + one) | 0;
        twos = (twos + two) | 0;
        fours = (fours + four) | 0;
        threes = (threes + (one & two)) | 0;
        fives = (fives + (one & four)) | 0;
      }
      for (let each = 0; each < 4; each++) {
        const shift = 8 * each;
        const [three, five] = [(threes >>> shift) & 255, (fives >>> shift) & 255];
        const one = ((ones >>> shift) & 255) - three - five;
        const two = ((twos >>> shift) & 255) - three;
        const four = ((fours >>> shift) & 255) - five;
        const at = (base + carrier + each) * STATUS_COUNT;
        counts[at]! += to - from - one - two - three - four - five;
        counts[at + 1]! += one;
        counts[at + 2]! += two;
        counts[at + 3]! += three;
        counts[at + 4]! += four;
        counts[at + 5]! += five;
      }
    }
    for (let carrier = whole; carrier < carrierCount; carrier++)
      for (let index = from; index < to; index++)
        counts[(base + carrier) * STATUS_COUNT + view.getUint8(order[index]! + carrier)]!++;
  };

  return {
    add(codes, rows, groups, counts) {
      if (order.length < rows) order = new Int32Array(rows);
      ends.fill(0);
      for (let row = 0; row < rows; row++) if (groups[row]! >= 0) ends[groups[row]!]!++;
      let sum = 0;
      for (let group = 0; group < groupCount; group++) {
        const count = ends[group]!;
        ends[group] = sum;
        sum += count;
      }
      for (let row = 0; row < rows; row++) if (groups[row]! >= 0) order[ends[groups[row]!]!++] = row * carrierCount;
      const view = new DataView(codes.buffer, codes.byteOffset, codes.byteLength);
      let from = 0;
      for (let group = 0; group < groupCount; group++) {
        const end = ends[group]!;
        for (; from < end; from = Math.min(end, from + MAX_TOGETHER))
          addTogether(view, from, Math.min(end, from + MAX_TOGETHER), counts, group * carrierCount);
      }
    },
  };
}
