/**
 * A slow evaluator of table images, written from the description of the format alone. Tests compare it with single decisions, and
 * kernels with it.
 */

/** Knowledge of an input: a number's range, or the code of a word. Undefined if it is unknown. */
export type KnownInput = { readonly min: number; readonly max: number } | { readonly code: number } | undefined;
/** An input without a column: its base stands for it. */
export const NO_COLUMN = 'no column';

/** A home of a table image. */
export interface ImageHome {
  /** Index of the policy type, of the state, and days since 1970. */
  readonly policyType: number;
  readonly state: number;
  readonly effectiveDay: number;
  /** FIPS codes of the possible counties; undefined for any of the state. */
  readonly counties: readonly number[] | undefined;
  /** By input, before fallbacks and relations. */
  readonly inputs: readonly (KnownInput | typeof NO_COLUMN)[];
}

/** The answers of an image for a home. */
export interface ImageAnswer {
  /** By carrier: 0 not offered, 1 eligible, 2 referral, 3 needs information, 4 ineligible. */
  readonly statuses: readonly number[];
  /** By reason: 0 cannot hold, 1 may hold, 2 holds. */
  readonly reasons: readonly number[];
}

const EVERY_LANE = (1n << 64n) - 1n;

/** Reads the numbers of an image. */
class ImageView {
  readonly #view: DataView;

  constructor(image: Uint8Array) {
    this.#view = new DataView(image.buffer, image.byteOffset, image.byteLength);
    if (this.u32(0) !== 0x31_54_57_4c || this.u32(4) !== 1 || this.u32(8) !== image.length)
      throw new Error('Not a table image.');
  }

  readonly u16 = (at: number) => this.#view.getUint16(at, true);
  readonly u32 = (at: number) => this.#view.getUint32(at, true);
  readonly i32 = (at: number) => this.#view.getInt32(at, true);
  readonly f64 = (at: number) => this.#view.getFloat64(at, true);
  readonly u64 = (at: number) => this.#view.getBigUint64(at, true);
}

/** Evaluates homes, one at a time. */
export function createImageReader(image: Uint8Array): (home: ImageHome) => ImageAnswer {
  const view = new ImageView(image);
  const { u32, i32 } = view;
  return (home) => {
    const interval = intervalOf(view, home.effectiveDay);
    const type = u32(interval + 12) + 32 * home.policyType;
    const inputs = withRelations(view, withFallbacks(view, withBases(view, home.inputs)), i32(interval + 8));
    const statuses: number[] = new Array(u32(44)).fill(0);
    for (let index = 0; index < u32(type); index++) {
      for (const lane of readGroup(view, u32(u32(type + 4) + 4 * index), home, inputs)) {
        const { target, isOffered, decline, refer } = lane;
        if (isOffered) statuses[target] = decline === 2 ? 4 : decline === 1 ? 3 : refer === 2 ? 2 : refer === 1 ? 3 : 1;
      }
    }
    const reasons: number[] = new Array(u32(type + 16)).fill(0);
    for (let index = 0; index < u32(type + 8); index++) {
      for (const lane of readGroup(view, u32(u32(type + 12) + 4 * index), home, inputs))
        if (lane.isOffered) reasons[lane.target] = lane.decline;
    }
    return { statuses, reasons };
  };
}

function intervalOf({ u32, i32 }: ImageView, day: number): number {
  for (let index = 0; index < u32(32); index++) {
    const at = u32(36) + 16 * index;
    if (i32(at) <= day && day < i32(at + 4)) return at;
  }
  throw new Error(`No interval has day ${day}.`);
}

function withBases({ u32, i32 }: ImageView, inputs: ImageHome['inputs']): KnownInput[] {
  const ownOrBase = (input: number): KnownInput => {
    const own = inputs[input];
    const base = i32(u32(16) + 64 * input + 48);
    return own === NO_COLUMN ? (base < 0 ? undefined : ownOrBase(base)) : own;
  };
  return inputs.map((_, input) => ownOrBase(input));
}

function withFallbacks({ u32, i32 }: ImageView, inputs: readonly KnownInput[]): KnownInput[] {
  const result = [...inputs];
  for (const isConditional of [false, true]) {
    for (let input = 0; input < result.length; input++) {
      const at = u32(16) + 64 * input;
      const [fallback, other, code] = [i32(at + 36), i32(at + 40), i32(at + 44)];
      if (result[input] !== undefined || fallback === 0 || other >= 0 !== isConditional) continue;
      const condition = other >= 0 ? result[other] : undefined;
      if (other < 0 || (condition && 'code' in condition && condition.code === code))
        result[input] = { code: fallback };
    }
  }
  return result;
}

function withRelations(
  { u32, i32, f64 }: ImageView,
  inputs: readonly KnownInput[],
  effectiveYear: number,
): KnownInput[] {
  const result = [...inputs];
  const rangeOf = (input: number) => {
    const own = result[input];
    const at = u32(16) + 64 * input;
    if (own && 'min' in own) return own;
    return { min: f64(at + 16), max: u32(at + 4) === 0 ? f64(at + 24) : effectiveYear + 1 };
  };
  for (let pass = 0; pass < u32(20); pass++) {
    for (let index = 0; index < u32(20); index++) {
      const [lower, higher] = [i32(u32(24) + 8 * index), i32(u32(24) + 8 * index + 4)];
      const [low, high] = [rangeOf(lower), rangeOf(higher)];
      const max = Math.min(low.max, high.max);
      const min = Math.max(low.min, high.min);
      if ((max === low.max && min === high.min) || low.min > max || min > high.max) continue;
      if (max < low.max) result[lower] = { min: low.min, max };
      if (min > high.min) result[higher] = { min, max: high.max };
    }
  }
  return result;
}

/** The rows of the possible cells of the place. */
function placeRows({ u16, u32, i32 }: ImageView, group: number, { state, counties }: ImageHome): number[] {
  const at = u32(group + 44) + 32 * state;
  const [other, byCounty, cells] = [i32(at + 8), u32(at + 12), u32(at + 16)];
  if (!counties) return Array.from({ length: u32(at + 20) }, (_, index) => u16(cells + 2 * index));
  return counties.map((fips) => {
    const named = byCounty === 0 ? 0 : u16(byCounty + 2 * (fips % 1000));
    return named > 0 ? named - 1 : other;
  });
}

/** The rows of the possible cells of an axis. */
function axisRows({ u32, f64 }: ImageView, axis: number, input: KnownInput): number[] {
  const [cells, first, bounds] = [u32(axis + 8), u32(axis + 12), u32(axis + 16)];
  const all = Array.from({ length: cells }, (_, cell) => first + cell);
  if (input === undefined) return all;
  if ('code' in input) return [first + input.code - 1];
  const cellOf = (value: number) => all.findLastIndex((_, cell) => f64(bounds + 8 * cell) <= value);
  return all.slice(cellOf(input.min), cellOf(input.max) + 1);
}

interface ReadLane {
  readonly target: number;
  readonly isOffered: boolean;
  /** 0 cannot hold, 1 may hold, 2 holds. */
  readonly decline: number;
  readonly refer: number;
}

function readGroup(view: ImageView, group: number, home: ImageHome, inputs: readonly KnownInput[]): ReadLane[] {
  const { u16, u32, i32, u64 } = view;
  const [axisCount, planeCount, declining] = [u32(group + 8), u32(group + 16), u32(group + 20)];
  const word = (row: number, index: number) => u64(u32(group + 48) + 8 * (row * (2 + planeCount) + index));
  const rowsOf = [placeRows(view, group, home)];
  for (let axis = 0; axis < axisCount; axis++) {
    const at = u32(group + 12) + 32 * axis;
    rowsOf.push(axisRows(view, at, inputs[i32(at)]));
  }
  const mayWord = (axis: number, index: number) => rowsOf[axis]!.reduce((all, row) => all | word(row, index), 0n);
  const mustWord = (axis: number, index: number) =>
    rowsOf[axis]!.reduce((all, row) => all & word(row, index), EVERY_LANE);
  const may: [bigint, bigint] = [u64(group + 64), u64(group + 72)];
  const must: [bigint, bigint] = [...may];
  for (let axis = 0; axis < rowsOf.length; axis++) {
    for (const outcome of [0, 1] as const) {
      may[outcome] |= mayWord(axis, outcome);
      must[outcome] |= mustWord(axis, outcome);
    }
  }
  for (let plane = 0; plane < planeCount; plane++) {
    const start = u32(group + 24) + 4 * plane;
    const steps = Array.from({ length: u32(start + 4) - u32(start) }, (_, step) => u32(start) + step);
    const axes = steps.map((step) => u16(u32(group + 28) + 2 * step));
    const outcome = plane < declining ? 0 : 1;
    may[outcome] |= axes.reduce((all, axis) => all & mayWord(axis, 2 + plane), EVERY_LANE);
    must[outcome] |= axes.reduce((all, axis) => all & mustWord(axis, 2 + plane), EVERY_LANE);
  }
  const has = (bits: bigint, lane: number): boolean => {
    if ((bits >> BigInt(lane)) & 1n) return true;
    for (let fold = 0; fold < u32(group + 32); fold++) {
      const at = u32(group + 36) + 16 * fold;
      if (u32(at) === lane && (bits & u64(at + 8)) !== 0n) return true;
    }
    return false;
  };
  const outcomeOf = (outcome: 0 | 1, lane: number) => (has(must[outcome], lane) ? 2 : has(may[outcome], lane) ? 1 : 0);
  const offered = u64(u32(group + 44) + 32 * home.state);
  return Array.from({ length: u32(group) }, (_, lane) => ({
    target: u16(u32(group + 4) + 2 * lane),
    isOffered: ((offered >> BigInt(lane)) & 1n) === 1n,
    decline: outcomeOf(0, lane),
    refer: outcomeOf(1, lane),
  }));
}
