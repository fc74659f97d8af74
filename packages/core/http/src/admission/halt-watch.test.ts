import { describe, expect, it } from 'vitest';
import { createHaltWatch } from './halt-watch.ts';

/** A manual process that computes, idles and halts on command. */
function byHand() {
  const clock = { ms: 0, workedMs: 0 };
  const timer: { tick?: () => void; dueMs: number; everyMs: number } = { dueMs: 0, everyMs: 0 };
  const watch = createHaltWatch({
    nowMs: () => clock.ms,
    workedMs: () => clock.workedMs,
    every(ms, tick) {
      Object.assign(timer, { tick, dueMs: clock.ms + ms, everyMs: ms });
      return { stop: () => delete timer.tick };
    },
  });
  /** Timers that are due fire, once each, as Node has it. */
  const fire = () => {
    if (timer.tick === undefined || clock.ms < timer.dueMs) return;
    timer.dueMs = clock.ms + timer.everyMs;
    timer.tick();
  };
  return {
    look: () => watch.look(clock.ms),
    isTicking: () => timer.tick !== undefined,
    rest(ms: number) {
      for (let passed = 0; passed < ms; passed += 10) {
        clock.ms += 10;
        fire();
      }
    },
    work(ms: number) {
      clock.ms += ms;
      clock.workedMs += ms;
    },
    halt(ms: number) {
      clock.ms += ms;
    },
    fire,
  };
}

describe('A watch over halts', () => {
  it('reports a halt once, whether a request is read before the timers or after them', () => {
    for (const isRequestFirst of [true, false]) {
      const { look, rest, halt, fire } = byHand();
      look();
      rest(1_000);
      halt(3_000);
      if (!isRequestFirst) fire();
      expect(look()).toBeGreaterThan(2_850);
      fire();
      expect(look()).toBe(0);
      rest(1_000);
      expect(look()).toBe(0);
    }
  });

  it('mistakes neither work nor idle time for a halt', () => {
    const { look, rest, work } = byHand();
    look();
    work(3_000);
    expect(look()).toBe(0);
    rest(3_000);
    expect(look()).toBe(0);
  });

  it('does not mistake a slow thread on a shared processor for a halted one', () => {
    const { look, work, halt, fire } = byHand();
    look();
    for (let turn = 0; turn < 50; turn++) {
      work(20);
      halt(100);
      fire();
      expect(look()).toBe(0);
    }
  });

  it('starts a timer only when it is read', () => {
    const { look, rest, isTicking } = byHand();
    expect(isTicking()).toBe(false);
    look();
    expect(isTicking()).toBe(true);
    rest(10_000);
    expect(isTicking()).toBe(false);
    expect(look()).toBe(0);
    expect(isTicking()).toBe(true);
  });
});
