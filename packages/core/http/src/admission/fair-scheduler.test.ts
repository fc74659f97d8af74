import { nextTurn } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { type LoopByHand, loopByHand, microtasks } from '../testing/loop-by-hand.ts';
import { createFairScheduler, type FairScheduler, type FairSchedulerOptions } from './fair-scheduler.ts';

/** A manual event loop in which work takes a given time. */
function handLoop(options: FairSchedulerOptions) {
  const { loop, scheduler: queue } = loopByHand(options);
  /** Sends simultaneous requests. Records the number admitted and the start delay of each. */
  const send = (tenant: string, requests: number, workMs: number) => {
    const sentMs = loop.ms;
    const sent = { taken: 0, turnedAway: 0, begunMs: [] as number[], turns: 0 };
    const settle = (isTaken: boolean) => {
      if (!isTaken) sent.turnedAway++;
      else {
        sent.taken++;
        sent.begunMs.push(loop.ms - sentMs);
        loop.ms += workMs;
      }
    };
    for (let request = 0; request < requests; request++) {
      const turn = queue.enter(tenant);
      if (typeof turn === 'boolean') settle(turn);
      else void turn.then(settle);
    }
    return sent;
  };
  /** Runs turns of the loop until nothing is left to do; gives the longest. */
  const run = async () => {
    let longestMs = 0;
    while (loop.callbacks.length > 0) {
      const began = loop.ms;
      for (const callback of loop.callbacks.splice(0)) {
        callback();
        for (let tick = 0; tick < 4; tick++) await undefined;
      }
      longestMs = Math.max(longestMs, loop.ms - began);
    }
    return longestMs;
  };
  const turn = async (requests: number, workMs: number) => {
    const sent = send('a', requests, workMs);
    await run();
    return sent.taken;
  };
  return { loop, send, run, turn };
}

describe('tenants', () => {
  it('answers a single request soon while another tenant has a thousand waiting', async () => {
    const { send, run } = handLoop({ maxDelayMs: null });
    send('greedy', 1_000, 5);
    const modest = send('modest', 1, 5);
    await run();
    // The running slice, one request of the other tenant, and its request.
    expect(modest.begunMs[0]).toBeLessThanOrEqual(8 + 5 + 5);
  });

  it('share the processor evenly', async () => {
    const { send, run } = handLoop({ maxDelayMs: null });
    const all = ['a', 'b', 'c'].map((tenant) => send(tenant, 100, 3));
    await run();
    const medians = all.map(({ begunMs }) => begunMs[50]!);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(30);
  });

  it('release the event loop every few milliseconds', async () => {
    const { send, run } = handLoop({ maxDelayMs: null, sliceMs: 8 });
    send('a', 1_000, 3);
    expect(await run()).toBeLessThan(8 + 3);
  });

  it('are not refused because of the load of another tenant', async () => {
    const { send, run } = handLoop({ maxDelayMs: 100 });
    const greedy = send('greedy', 5_000, 1);
    const modest: ReturnType<typeof send>[] = [];
    for (let time = 0; time < 20; time++) modest.push(send('modest', 2, 1));
    await run();
    expect(greedy.turnedAway).toBeGreaterThan(4_000);
    expect(modest.map(({ turnedAway }) => turnedAway)).toEqual(modest.map(() => 0));
  });
});

describe('work', () => {
  /** One that always has another piece to do, of so long steps; and what was done for it. */
  const busy = (scheduler: FairScheduler, loop: { ms: number }, tenant: string, stepMs: number) => {
    const done = { ms: 0 };
    void (async () => {
      const piece = scheduler.workOf(tenant);
      for (;;) {
        await nextTurn(piece);
        loop.ms += stepMs;
        done.ms += stepMs;
      }
    })();
    return done;
  };
  const runUntil = async (loop: LoopByHand, isOver: () => boolean) => {
    for (let turn = 0; !isOver(); turn++) {
      expect(turn, 'It takes for ever.').toBeLessThan(10_000);
      for (const callback of loop.callbacks.splice(0)) {
        callback();
        await microtasks();
      }
    }
  };
  const start = () => loopByHand({});

  it('is shared by time: long steps gain nothing', async () => {
    const { loop, scheduler } = start();
    const long = busy(scheduler, loop, 'long', 40);
    const short = busy(scheduler, loop, 'short', 1);
    await runUntil(loop, () => loop.ms > 4_000);
    expect(Math.abs(long.ms - short.ms)).toBeLessThan(150);
  });

  it('of one request of some steps waits once, not once a step, among sixteen busy tenants', async () => {
    const { loop, scheduler } = start();
    for (let other = 0; other < 16; other++) busy(scheduler, loop, `other ${other}`, 5);
    await runUntil(loop, () => loop.ms > 2_000);
    for (let time = 0; time < 10; time++) {
      const asked = loop.ms;
      let answered = 0;
      void (async () => {
        const piece = scheduler.workOf('modest');
        for (let step = 0; step < 10; step++) {
          await nextTurn(piece);
          loop.ms += 1;
        }
        piece.end();
        answered = loop.ms;
      })();
      await runUntil(loop, () => answered > 0);
      // Its 10 ms, one running piece, and work that others start in loop iterations with free time.
      expect(answered - asked).toBeLessThanOrEqual(10 + 3 * 5);
      const until = loop.ms + 500;
      await runUntil(loop, () => loop.ms > until);
    }
  });

  it('of a tenant that was alone is not held against it, and an idle tenant saves up a few slices', async () => {
    const { loop, scheduler } = start();
    const alone = busy(scheduler, loop, 'alone', 5);
    await runUntil(loop, () => loop.ms > 5_000);
    const before = alone.ms;
    const late = busy(scheduler, loop, 'late', 5);
    await runUntil(loop, () => late.ms + alone.ms - before > 1_000);
    expect(late.ms - (alone.ms - before)).toBeLessThanOrEqual(4 * 5 + 2 * 5);
    expect(late.ms).toBeGreaterThan(490);
  });

  it('counts computing time, not delays of a busy machine', async () => {
    const { loop } = start();
    let worked = 0;
    const scheduler = createFairScheduler(
      {},
      { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run), workedMs: () => worked },
    );
    const done = { held: 0, other: 0 };
    const work = async (tenant: keyof typeof done, heldUpMs: number) => {
      const piece = scheduler.workOf(tenant);
      for (;;) {
        await nextTurn(piece);
        loop.ms += 2 + heldUpMs;
        worked += 2;
        done[tenant] += 2;
      }
    };
    void work('held', 20);
    void work('other', 0);
    await runUntil(loop, () => worked > 2_000);
    expect(Math.abs(done.held - done.other)).toBeLessThan(60);
  });

  it('that no step reported is counted when it ends', async () => {
    const { loop, scheduler } = start();
    const steady = busy(scheduler, loop, 'steady', 5);
    await runUntil(loop, () => loop.ms > 1_000);
    const before = loop.ms;
    let asked = 0;
    void (async () => {
      for (;;) {
        const piece = scheduler.workOf('requests');
        await nextTurn(piece);
        loop.ms += 50;
        asked += 50;
        piece.end();
      }
    })();
    const steadyBefore = steady.ms;
    await runUntil(loop, () => loop.ms > before + 2_000);
    expect(steady.ms - steadyBefore).toBeGreaterThan(850);
    expect(asked).toBeGreaterThan(850);
  });
});

describe('the delay', () => {
  it('accepts a load that keeps waits below the limit', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    for (let time = 0; time < 20; time++) expect(await turn(50, 2)).toBe(50);
  });

  it('tolerates one large request', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    for (let time = 0; time < 20; time++) {
      expect(await turn(1, 400)).toBe(1);
      expect(await turn(20, 1)).toBe(20);
    }
  });

  it('refuses requests that waited too long if this persists, and recovers at once', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    expect(await turn(400, 1)).toBe(400);
    for (let time = 0; time < 20; time++) expect(await turn(400, 1)).toBeLessThan(110);
    expect(await turn(50, 1)).toBe(50);
    expect(await turn(400, 1)).toBe(400);
  });

  it('limits how long late requests are tolerated', async () => {
    const taken = await handLoop({ maxDelayMs: 100 }).turn(5_000, 1);
    expect(taken).toBeGreaterThan(390);
    expect(taken).toBeLessThan(410);
  });

  it('accepts a few slow requests: the machine is slow, not overloaded', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    for (let time = 0; time < 20; time++) expect(await turn(32, 50)).toBe(32);
    expect(await turn(60, 50)).toBeLessThan(40);
  });

  it('forgets delays of some time ago', async () => {
    const { loop, turn } = handLoop({ maxDelayMs: 100 });
    expect(await turn(400, 1)).toBe(400);
    loop.ms += 5_000;
    expect(await turn(400, 1)).toBe(400);
  });

  it('does not count a halt: requests that arrived meanwhile are answered, and shedding starts again', async () => {
    const loop = { ms: 0, callbacks: [] as (() => void)[] };
    let haltedMs = 0;
    const halts = {
      look() {
        const told = haltedMs;
        haltedMs = 0;
        return told;
      },
    };
    const scheduler = createFairScheduler(
      { maxDelayMs: 100 },
      { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run), halts },
    );
    /** So many of one tenant at one moment, each 1 ms of work; gives how many were turned away. */
    const burst = async (requests: number) => {
      let turnedAway = 0;
      const settle = (isTaken: boolean) => {
        if (isTaken) loop.ms += 1;
        else turnedAway++;
      };
      for (let request = 0; request < requests; request++) {
        const turn = scheduler.enter('a');
        if (typeof turn === 'boolean') settle(turn);
        else void turn.then(settle);
      }
      while (loop.callbacks.length > 0) {
        for (const callback of loop.callbacks.splice(0)) {
          callback();
          for (let tick = 0; tick < 4; tick++) await undefined;
        }
      }
      return turnedAway;
    };
    // Without a halt so many are too many.
    expect(await burst(2_000)).toBeGreaterThan(1_000);
    loop.ms += 5_000;
    haltedMs = 2_500;
    expect(await burst(2_000)).toBe(0);
    loop.ms += 5_000;
    expect(await burst(2_000)).toBeGreaterThan(1_000);
    // However long it was halted, the recovery ends.
    loop.ms += 5_000;
    haltedMs = 3_600_000;
    expect(await burst(20_000)).toBeGreaterThan(5_000);
  });

  it('is unlimited by default', async () => {
    const { turn } = handLoop({ maxDelayMs: null });
    for (let time = 0; time < 5; time++) expect(await turn(900, 10)).toBe(900);
  });
});
