import { describe, expect, it } from 'vitest';
import { createLoopSlice } from './loop-slice.ts';

/** A slice of 5 ms on a loop with manual iterations. */
function openSlice() {
  const loop = { ms: 0, callbacks: [] as (() => void)[] };
  const slice = createLoopSlice(5, { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) });
  const nextTurn = () => {
    for (const callback of loop.callbacks.splice(0)) callback();
  };
  return { loop, slice, nextTurn };
}

describe('a slice of the event loop', () => {
  it('has time for its milliseconds, and again in the next iteration of the loop', () => {
    const { loop, slice, nextTurn } = openSlice();
    expect(slice.hasTime(loop.ms)).toBe(true);
    const first = slice.number;
    loop.ms = 4.9;
    expect(slice.hasTime(loop.ms)).toBe(true);
    loop.ms = 5;
    expect(slice.hasTime(loop.ms)).toBe(false);
    nextTurn();
    expect(slice.hasTime(loop.ms)).toBe(true);
    expect(slice.number).toBe(first + 1);
  });

  it('measures each moment once, within one iteration', () => {
    const { loop, slice, nextTurn } = openSlice();
    slice.hasTime(0);
    const { number } = slice;
    loop.ms = 3;
    expect(slice.isMeterDue(3)).toBe(true);
    expect(slice.readMeter(number, 3)).toBe(3);
    expect(slice.readMeter(number, 3)).toBe(0);
    expect(slice.isMeterDue(3.1)).toBe(false);
    nextTurn();
    expect(slice.readMeter(number, 3)).toBeUndefined();
    slice.hasTime(3);
    expect(slice.readMeter(number, 3)).toBeUndefined();
  });

  it('is skipped at most sixteen times in a row', () => {
    const { loop, slice, nextTurn } = openSlice();
    const hadTime = Array.from({ length: 34 }, () => {
      slice.skipNext();
      const has = slice.hasTime(loop.ms);
      nextTurn();
      return has;
    });
    expect(hadTime.flatMap((has, turn) => (has ? [turn] : []))).toEqual([16, 33]);
  });
});
