import { pick } from '../../../../../test/support/random.ts';

/** Kinds of faults that a table image may have. */
export const mutationKinds = ['bound', 'bit', 'county', 'date', 'relation', 'spelling', 'input', 'offer'] as const;
export type MutationKind = (typeof mutationKinds)[number];

type Random = () => number;

/** Limits above it are instants. */
const MIN_INSTANT = 1e11;
const MS_A_DAY = 86_400_000;

/** The limits of moratoria in a table image, in epoch milliseconds. */
export function instantsOf(image: Uint8Array): readonly number[] {
  const view = new DataView(image.buffer, image.byteOffset);
  const word = (at: number) => view.getUint32(at, true);
  const instants = new Set<number>();
  for (let list = 0; list < word(32) * word(40); list++) {
    const type = word(word(36) + 16 * Math.floor(list / word(40)) + 12) + 32 * (list % word(40));
    for (let group = 0; group < word(type); group++) {
      const at = word(word(type + 4) + 4 * group);
      for (let axis = word(at + 12); axis < word(at + 12) + 32 * word(at + 8); axis += 32) {
        for (let cell = 1; word(axis + 4) === 0 && cell < word(axis + 8); cell++) {
          const bound = view.getFloat64(word(axis + 16) + 8 * cell, true);
          if (bound > MIN_INSTANT) instants.add(bound);
        }
      }
    }
  }
  return [...instants];
}

/** Changes one value of a copy of a table image. Returns a description, or undefined if the chosen part has other values. */
export function mutateImage(source: Uint8Array, kind: MutationKind, random: Random) {
  const image = source.slice();
  const view = new DataView(image.buffer);
  const word = (at: number) => view.getUint32(at, true);
  const below = (count: number) => Math.floor(random() * count);
  const group = () => {
    const interval = word(36) + 16 * below(word(32));
    const type = word(interval + 12) + 32 * below(word(40));
    const isReason = random() < 0.5;
    const count = word(type + (isReason ? 8 : 0));
    return count === 0 ? undefined : word(word(type + (isReason ? 12 : 4)) + 4 * below(count));
  };
  const axisOf = (at: number) => (word(at + 8) === 0 ? undefined : word(at + 12) + 32 * below(word(at + 8)));
  const done = (what: string) => ({ image, what });
  switch (kind) {
    case 'bound':
    case 'date': {
      const at = group();
      const axis = at === undefined ? undefined : axisOf(at);
      if (axis === undefined || word(axis + 4) !== 0 || word(axis + 8) < 2) return undefined;
      const isTime = view.getFloat64(word(axis + 16) + 8, true) > MIN_INSTANT;
      if (isTime !== (kind === 'date')) return undefined;
      const number = 1 + below(word(axis + 8) - 1);
      const bound = word(axis + 16) + 8 * number;
      const value = view.getFloat64(bound, true);
      const next = number + 1 < word(axis + 8) ? view.getFloat64(bound + 8, true) : value + 1;
      const moved = isTime
        ? value + pick(random, [-MS_A_DAY, MS_A_DAY, -1, 1, 1000])
        : pick(random, [next, value + 1, value - 1, value - 0.5]);
      view.setFloat64(bound, moved, true);
      return done(`bound ${value} of input ${word(axis)} to ${moved}`);
    }
    case 'bit': {
      const at = group();
      if (at === undefined) return undefined;
      const width = 2 + word(at + 16);
      const [row, column, lane] = [below(word(at + 52)), below(width), below(word(at))];
      const byte = word(at + 48) + 8 * (row * width + column) + (lane >> 3);
      image[byte]! ^= 1 << (lane & 7);
      return done(`bit of lane ${lane}, row ${row}, word ${column}`);
    }
    case 'county': {
      const at = group();
      if (at === undefined) return undefined;
      const state = word(at + 44) + 32 * below(word(28));
      const byCounty = word(state + 12);
      if (byCounty === 0) return undefined;
      const county = byCounty + 2 * (1 + 2 * below(150));
      const cells = word(at + 40);
      view.setUint16(county, (view.getUint16(county, true) + 1 + below(cells)) % (cells + 1), true);
      return done(`cell of county ${(county - byCounty) / 2}`);
    }
    case 'offer': {
      const at = group();
      if (at === undefined) return undefined;
      const lane = below(word(at));
      const state = word(at + 44) + 32 * below(word(28));
      image[state + (lane >> 3)]! ^= 1 << (lane & 7);
      return done(`offer of lane ${lane}`);
    }
    case 'relation': {
      if (word(20) === 0) return undefined;
      const at = word(24) + 8 * below(word(20));
      const pair = [view.getInt32(at, true), view.getInt32(at + 4, true)] as const;
      const other = word(24) + 8 * below(word(20));
      const changed = pick(random, [
        [pair[1], pair[0]],
        [view.getInt32(other, true), view.getInt32(other + 4, true)],
        [below(word(12)), pair[1]],
        [pair[0], below(word(12))],
      ] as const);
      changed.forEach((input, index) => {
        view.setInt32(at + 4 * index, input, true);
      });
      return done(`relation ${pair.join(' ')} to ${changed.join(' ')}`);
    }
    case 'spelling': {
      const list = word(52) + 16 * below(word(48));
      const count = word(list);
      const entry = below(count);
      if (random() < 0.5) {
        const code = word(list + 12) + 4 * entry;
        view.setInt32(code, view.getInt32(word(list + 12) + 4 * below(count), true), true);
        return done(`code ${entry} of a list of ${count}`);
      }
      const [start, end] = [word(word(list + 4) + 4 * entry), word(word(list + 4) + 4 * entry + 4)];
      image[word(list + 8) + start + below(Math.max(1, end - start))] = 0x61 + below(26);
      return done(`letter of key ${entry} of a list of ${count}`);
    }
    case 'input': {
      const at = word(16) + 64 * below(word(12));
      const [offset, value] = pick(random, [
        [4, below(3)],
        [8, below(2)],
        [32, below(word(48))],
        [36, below(3)],
      ] as const);
      view.setInt32(at + offset, value, true);
      return done(`word ${offset} of input ${(at - word(16)) / 64} to ${value}`);
    }
  }
}
