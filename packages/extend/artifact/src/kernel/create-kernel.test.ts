import { between, boundByRelations, isWithin } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { createKernel, type KernelBatch } from './create-kernel.ts';

// Random images, evaluated by the kernel and by the contract's definition: a lane has an outcome possibly if a term meets the box of
// possible cells, and certainly if a term contains it.

const testVolume = Number(process.env['LEEWARD_TEST_VOLUME'] ?? 1);
const STATES = 3;
const STEPS = 12;
const YEAR = 2026;

interface Term {
  readonly lane: number;
  readonly isDecline: boolean;
  /** By axis, the place first: the accepted cells. */
  readonly cells: ReadonlyMap<number, ReadonlySet<number>>;
}

interface GroupSpec {
  readonly targets: readonly number[];
  readonly axes: readonly { readonly input: number; readonly bounds: readonly number[]; readonly cells: number }[];
  readonly placeCells: number;
  readonly states: readonly {
    readonly offered: bigint;
    readonly other: number;
    readonly named: ReadonlyMap<number, number>;
  }[];
  readonly terms: readonly Term[];
  readonly isReason: boolean;
}

/** Inputs: two related numbers, a wide number with a variant, and two words with fallbacks. */
const inputs = [
  { kind: 0, integer: 1, min: 0, max: 20 },
  { kind: 0, integer: 1, min: 0, max: 25 },
  { kind: 0, integer: 0, min: 0, max: 1e6 },
  { kind: 1, words: 3, fallback: 2 },
  { kind: 1, words: 4, fallback: 3, onlyIf: 3, hasCode: 2 },
  { kind: 0, integer: 0, min: 0, max: 1e6, base: 2 },
];
const ambiguous = [
  [1001, 1002],
  [2001, 2005, 2009],
];

function createRandom(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
type Random = ReturnType<typeof createRandom>;

function randomGroup(random: Random, first: number, lanes: number, isReason: boolean): GroupSpec {
  const axes = inputs.flatMap(({ kind, integer, max, words = 0 }, input) => {
    if (random(4) === 0) return [];
    if (kind === 1) return [{ input, bounds: [], cells: words }];
    const cuts = new Set(
      Array.from({ length: 1 + random(8) }, () => (integer ? 1 + random(max! - 1) : random(1000) * 997.5)),
    );
    return [{ input, bounds: [-Infinity, ...[...cuts].sort((a, b) => a - b)], cells: cuts.size + 1 }];
  });
  const placeCells = 7;
  const states = Array.from({ length: STATES }, (_, state) => ({
    offered: BigInt.asUintN(64, BigInt(random(2 ** 31)) * BigInt(2 ** 33) + BigInt(random(2 ** 31)) * 3n),
    other: state === 1 ? -1 : 2 * state,
    named: new Map(Array.from({ length: state === 1 ? 12 : 3 }, (_, county) => [county, 2 * state + (county % 2)])),
  }));
  const sizes = [placeCells, ...axes.map(({ cells }) => cells)];
  const terms = Array.from({ length: lanes * 3 }, (): Term => {
    const tested = new Set(Array.from({ length: 1 + random(4) }, () => random(sizes.length)));
    return {
      lane: random(lanes),
      isDecline: isReason || random(2) === 0,
      cells: new Map(
        [...tested].map((axis) => [
          axis,
          new Set(Array.from({ length: sizes[axis]! }, (_, cell) => cell).filter(() => random(3) > 0)),
        ]),
      ),
    };
  });
  const targets = Array.from({ length: lanes }, (_, lane) => first + lane);
  if (random(2) === 0) targets.reverse();
  return { targets, axes, placeCells, states, terms, isReason };
}

class Writer {
  readonly bytes = new Uint8Array(1 << 20);
  readonly view = new DataView(this.bytes.buffer);
  end = 128;
  reserve(bytes: number): number {
    const at = this.end;
    this.end = (this.end + bytes + 15) & ~15;
    return at;
  }
  u32s(values: readonly number[], at = this.reserve(4 * values.length)): number {
    values.forEach((value, index) => void this.view.setInt32(at + 4 * index, value, true));
    return at;
  }
  u16s(values: readonly number[], at = this.reserve(2 * values.length)): number {
    values.forEach((value, index) => void this.view.setUint16(at + 2 * index, value, true));
    return at;
  }
  f64s(values: readonly number[], at = this.reserve(8 * values.length)): number {
    values.forEach((value, index) => void this.view.setFloat64(at + 8 * index, value, true));
    return at;
  }
}

function writeGroup(writer: Writer, { targets, axes, placeCells, states, terms }: GroupSpec): number {
  const lanes = targets.length;
  /** By outcome and plane: one term a lane. Terms of a lane beyond half of the planes use a spare lane. */
  const planes: { isDecline: boolean; terms: (Term & { bit: number })[] }[] = [];
  const folds = new Map<number, number>();
  const fronts: Term[] = [];
  for (const term of terms) {
    if (term.cells.size === 1) {
      fronts.push(term);
      continue;
    }
    const free = (bit: number) =>
      planes.find((plane) => plane.isDecline === term.isDecline && plane.terms.every((each) => each.bit !== bit));
    const spare = folds.get(term.lane) ?? (lanes + folds.size < 64 ? lanes + folds.size : -1);
    const bit = !free(term.lane) && spare >= 0 && term.lane % 2 === 0 ? spare : term.lane;
    if (bit === spare) folds.set(term.lane, spare);
    let plane = free(bit);
    if (!plane) {
      plane = { isDecline: term.isDecline, terms: [] };
      planes.push(plane);
    }
    plane.terms.push({ ...term, bit });
  }
  planes.sort((a, b) => Number(b.isDecline) - Number(a.isDecline));
  const sizes = [placeCells, ...axes.map(({ cells }) => cells)];
  const starts = sizes.map((_, axis) => sizes.slice(0, axis).reduce((sum, size) => sum + size, 0));
  const width = 2 + planes.length;
  const rowCount = starts.at(-1)! + sizes.at(-1)!;
  const rows = new BigUint64Array(rowCount * width);
  const planeAxes = planes.map((plane) => [...new Set(plane.terms.flatMap(({ cells }) => [...cells.keys()]))]);
  sizes.forEach((size, axis) => {
    for (let cell = 0; cell < size; cell++) {
      const at = (starts[axis]! + cell) * width;
      for (const { lane, isDecline, cells } of fronts)
        if (cells.get(axis)?.has(cell)) rows[at + (isDecline ? 0 : 1)]! |= 1n << BigInt(lane);
      planes.forEach((plane, index) => {
        let accepted = (1n << 64n) - 1n;
        const present = plane.terms.reduce((bits, { bit }) => bits | (1n << BigInt(bit)), 0n);
        if (planeAxes[index]![0] === axis) accepted &= present;
        for (const { bit, cells } of plane.terms)
          if (cells.get(axis)?.has(cell) === false) accepted &= ~(1n << BigInt(bit));
        rows[at + 2 + index] = accepted;
      });
    }
  });
  const rowsAt = writer.reserve(rows.byteLength);
  writer.bytes.set(new Uint8Array(rows.buffer), rowsAt);
  const axesAt = writer.reserve(32 * axes.length);
  axes.forEach(({ input, bounds, cells }, index) => {
    writer.u32s(
      [input, bounds.length === 0 ? 1 : 0, cells, starts[index + 1]!, writer.f64s(bounds)],
      axesAt + 32 * index,
    );
  });
  const statesAt = writer.reserve(32 * STATES);
  states.forEach(({ offered, other, named }, state) => {
    const byCounty = new Array(1000).fill(0);
    for (const [county, cell] of named) byCounty[county] = cell + 1;
    const cells = [...new Set([...named.values(), ...(other < 0 ? [] : [other])])];
    writer.view.setBigUint64(statesAt + 32 * state, offered, true);
    writer.u32s([other, writer.u16s(byCounty), writer.u16s(cells), cells.length], statesAt + 32 * state + 8);
  });
  const foldsAt = writer.reserve(16 * folds.size);
  [...folds].forEach(([lane, spare], index) => {
    writer.u32s([lane], foldsAt + 16 * index);
    writer.view.setBigUint64(foldsAt + 16 * index + 8, 1n << BigInt(spare), true);
  });
  const planeStarts = [0];
  for (const own of planeAxes) planeStarts.push(planeStarts.at(-1)! + own.length);
  const at = writer.reserve(96);
  writer.u32s(
    [
      lanes,
      writer.u16s(targets),
      axes.length,
      axesAt,
      planes.length,
      planes.filter(({ isDecline }) => isDecline).length,
      writer.u32s(planeStarts),
      writer.u16s(planeAxes.flat()),
      folds.size,
      foldsAt,
      placeCells,
      statesAt,
      rowsAt,
      rowCount,
    ],
    at,
  );
  return at;
}

function writeImage(groups: readonly GroupSpec[]): Uint8Array {
  const writer = new Writer();
  const inputsAt = writer.reserve(64 * inputs.length);
  inputs.forEach((input, index) => {
    const { kind, integer = 0, words = 0, min = 0, max = 0, fallback = 0, onlyIf = -1, hasCode = 0, base = -1 } = input;
    writer.u32s([kind, 0, integer, words], inputsAt + 64 * index);
    writer.f64s([min, max], inputsAt + 64 * index + 16);
    writer.u32s([-1, fallback, onlyIf, hasCode, base], inputsAt + 64 * index + 32);
  });
  const write = (isReason: boolean) =>
    groups.filter((group) => group.isReason === isReason).map((group) => writeGroup(writer, group));
  const [statuses, reasons] = [write(false), write(true)];
  const type = [statuses.length, writer.u32s(statuses), reasons.length, writer.u32s(reasons), laneCount(groups, true)];
  const types = writer.u32s(type, writer.reserve(32));
  const intervals = writer.u32s([0, 365, YEAR, types]);
  const relations = writer.u32s([0, 1]);
  const entries = writer.u32s(ambiguous.map((fips) => writer.u32s([fips.length, ...fips])));
  const length = writer.end;
  writer.u32s(
    [
      0x31_54_57_4c,
      1,
      length,
      inputs.length,
      inputsAt,
      1,
      relations,
      STATES,
      1,
      intervals,
      1,
      laneCount(groups, false),
      0,
      0,
      ambiguous.length,
      entries,
      -1,
    ],
    0,
  );
  return writer.bytes.slice(0, length);
}

function laneCount(groups: readonly GroupSpec[], isReason: boolean): number {
  return groups.filter((group) => group.isReason === isReason).reduce((sum, { targets }) => sum + targets.length, 0);
}

function randomBatch(random: Random, rows: number): KernelBatch {
  const some = (values: readonly number[]) => values[random(values.length)]!;
  const numbers = (max: number, isWhole: boolean) =>
    Float64Array.from({ length: rows }, () => {
      const value = random(3) === 0 ? Number.NaN : random(1001) * (max / 1000);
      return isWhole ? Math.floor(value) : value;
    });
  const upTo = (values: Float64Array, max: number) =>
    values.map((value) => (random(2) === 0 ? value : Math.min(max, value + random(max))));
  const [a, b, c, d] = [numbers(20, true), numbers(25, true), numbers(1e6, false), numbers(1e6, false)];
  const codes = (words: number) => Uint16Array.from({ length: rows }, () => random(words + 1));
  return {
    rows,
    policyTypes: Uint8Array.from({ length: rows }, () => (random(50) === 0 ? 255 : 0)),
    states: Uint8Array.from({ length: rows }, () => random(STATES)),
    counties: Int32Array.from({ length: rows }, () => some([0, -1, -2, -3, 1000, 1001, 1002, 1007, 2011])),
    ...(random(2) === 0 ? {} : { ambiguous: [...ambiguous].reverse() }),
    intervals: new Uint16Array(rows),
    inputs: [
      { values: a, upper: upTo(a, 20) },
      { values: b, upper: upTo(b, 25) },
      { values: c, upper: upTo(c, 1e6) },
      { values: codes(3) },
      { values: codes(4) },
      random(2) === 0 ? undefined : { values: d },
    ],
  };
}

/** The codes that the contract defines; undefined for a skipped row. */
function codesOf(group: GroupSpec, batch: KernelBatch, row: number): number[] | undefined {
  if (batch.policyTypes[row] === 255) return undefined;
  const state = group.states[batch.states[row]!]!;
  const county = batch.counties[row]!;
  const all = new Set([...state.named.values(), ...(state.other < 0 ? [] : [state.other])]);
  const cellsOfCounty = (fips: number) => {
    const cell = state.named.get(fips % 1000) ?? state.other;
    return cell < 0 ? all : new Set([cell]);
  };
  const place =
    county > 0
      ? cellsOfCounty(county)
      : county < -1
        ? new Set((batch.ambiguous ?? ambiguous)[-2 - county]!.flatMap((fips) => [...cellsOfCounty(fips)]))
        : all;
  const numbers = inputs.map(({ kind, base = -1 }, index) => {
    const column = batch.inputs[index] ?? batch.inputs[base];
    if (kind === 1 || !column) return undefined;
    const [min, max] = [column.values[row]!, (column.upper ?? column.values)[row]!];
    return Number.isNaN(min) ? undefined : between(min, max);
  });
  const domains = inputs.map(({ min = 0, max = 0, integer }) => ({
    domain: { kind: 'numbers', min, max, integer: integer === 1 },
  }));
  const bounded = boundByRelations(numbers, { relations: [{ lower: 0, higher: 1 }] } as never, domains as never);
  const codeOf = (input: number): number => {
    const given = batch.inputs[input]!.values[row]!;
    const { fallback = 0, onlyIf, hasCode } = inputs[input]!;
    return given === 0 && (onlyIf === undefined || codeOf(onlyIf) === hasCode) ? fallback : given;
  };
  const boxes = [
    place,
    ...group.axes.map(({ input, bounds, cells }) => {
      const every = new Set(Array.from({ length: cells }, (_, cell) => cell));
      if (inputs[input]!.kind === 1) {
        const code = codeOf(input);
        return code === 0 ? every : new Set([code - 1]);
      }
      const value = bounded[input];
      if (value === undefined) return every;
      const [min, max] =
        isWithin(value) && value.kind === 'between' ? [value.min, value.max] : [value as number, value as number];
      return new Set([...every].filter((cell) => bounds[cell]! <= max && (bounds[cell + 1] ?? Infinity) > min));
    }),
  ];
  // Terms of one axis act as their union.
  const outcome = (
    lane: number,
    isDecline: boolean,
    holds: (cells: ReadonlySet<number>, box: ReadonlySet<number>) => boolean,
  ) => {
    const own = group.terms.filter((term) => term.lane === lane && term.isDecline === isDecline);
    const unions = boxes.map(
      (_, axis) =>
        new Set(own.filter(({ cells }) => cells.size === 1).flatMap(({ cells }) => [...(cells.get(axis) ?? [])])),
    );
    return (
      unions.some((cells, axis) => holds(cells, boxes[axis]!)) ||
      own.some(({ cells }) => cells.size > 1 && [...cells].every(([axis, accepted]) => holds(accepted, boxes[axis]!)))
    );
  };
  const meets = (cells: ReadonlySet<number>, box: ReadonlySet<number>) => [...box].some((cell) => cells.has(cell));
  const contains = (cells: ReadonlySet<number>, box: ReadonlySet<number>) => [...box].every((cell) => cells.has(cell));
  return group.targets.map((_, lane) => {
    if (county === -1 || ((state.offered >> BigInt(lane)) & 1n) === 0n) return 0;
    const certain = outcome(lane, true, contains);
    const possible = outcome(lane, true, meets);
    if (group.isReason) return certain ? 2 : possible ? 1 : 0;
    if (certain) return 4;
    if (possible) return 3;
    return outcome(lane, false, contains) ? 2 : outcome(lane, false, meets) ? 3 : 1;
  });
}

describe('createKernel', () => {
  it.each(Array.from({ length: STEPS * testVolume }, (_, seed) => seed))(
    'evaluates as the contract defines, seed %i',
    (seed) => {
      const random = createRandom(seed);
      const sizes = [1 + random(30), 64 - random(20), 1 + random(3)];
      const firsts = [0, sizes[0]!, sizes[0]! + sizes[1]!];
      const statuses = sizes.map((lanes, index) => randomGroup(random, firsts[index]!, lanes, false));
      const groups = [...statuses, randomGroup(random, 0, 40, true)];
      const kernel = createKernel(writeImage(groups));
      const batch = randomBatch(random, 300);
      const codes = kernel.evaluate(batch).slice();
      const reasons = kernel.explain(batch, 0, 0);
      expect(kernel.reasonCount(0, 0)).toBe(40);
      for (let row = 0; row < batch.rows; row++) {
        for (const group of groups) {
          const [from, width] = group.isReason ? [reasons, 40] : [codes, kernel.carrierCount];
          const expected = codesOf(group, batch, row) ?? group.targets.map(() => 0);
          expect(group.targets.map((target) => from[row * width + target])).toEqual(expected);
        }
      }
    },
  );

  it('refuses other bytes, newer images and truncated ones', () => {
    const image = writeImage([randomGroup(createRandom(1), 0, 5, false)]);
    const changed = (offset: number, value: number) => {
      const copy = image.slice();
      new DataView(copy.buffer).setUint32(offset, value, true);
      return copy;
    };
    expect(() => createKernel(changed(0, 1))).toThrow('not a table image');
    expect(() => createKernel(changed(4, 2))).toThrow('newer version');
    expect(() => createKernel(image.subarray(0, image.length - 16))).toThrow('damaged');
    expect(() => createKernel(new Uint8Array(3))).toThrow('not a table image');
  });

  it('stays within its memory for altered images', () => {
    const random = createRandom(7);
    const groups = [randomGroup(random, 0, 20, false), randomGroup(random, 0, 9, true)];
    const image = writeImage(groups);
    const batch = randomBatch(random, 40);
    let refused = 0;
    const hostile = [0, 1, 3, 64, 255, 65_535, 65_536, 2 ** 31 - 1, -1, -(2 ** 31)];
    for (let each = 0; each < 500 * testVolume; each++) {
      const copy = image.slice();
      const at = 4 * random(image.length / 4);
      new DataView(copy.buffer).setInt32(at, hostile[random(hostile.length)]!, true);
      try {
        const kernel = createKernel(copy);
        kernel.evaluate(batch);
        kernel.explain(batch, 0, 0);
      } catch (error) {
        if (!(error instanceof RangeError)) throw new Error(`Changed at ${at}: ${error}`);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});
