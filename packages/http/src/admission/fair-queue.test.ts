import { describe, expect, it } from 'vitest';
import { createFairQueue, type FairQueueOptions } from './fair-queue.ts';

/** An event loop by hand, on which work takes as long as it is told to. */
function handLoop(options: FairQueueOptions) {
  const loop = { ms: 0, callbacks: [] as (() => void)[] };
  const queue = createFairQueue(options, { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) });
  /** Requests that come at one moment; how many were taken in, and after how long each was begun. */
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
  it('take turns: who asks for one thing is answered soon, however much another asks', async () => {
    const { send, run } = handLoop({ maxDelayMs: null });
    send('greedy', 1_000, 5);
    const modest = send('modest', 1, 5);
    await run();
    // The slice under way, one request of the other, and its own.
    expect(modest.begunMs[0]).toBeLessThanOrEqual(8 + 5 + 5);
  });

  it('share evenly what there is', async () => {
    const { send, run } = handLoop({ maxDelayMs: null });
    const all = ['a', 'b', 'c'].map((tenant) => send(tenant, 100, 3));
    await run();
    const medians = all.map(({ begunMs }) => begunMs[50]!);
    expect(Math.max(...medians) - Math.min(...medians)).toBeLessThan(30);
  });

  it('leave the event loop to what nobody queues for, every few milliseconds', async () => {
    const { send, run } = handLoop({ maxDelayMs: null, sliceMs: 8 });
    send('a', 1_000, 3);
    expect(await run()).toBeLessThan(8 + 3);
  });

  it('are not turned away for what another asks', async () => {
    const { send, run } = handLoop({ maxDelayMs: 100 });
    const greedy = send('greedy', 5_000, 1);
    const modest: ReturnType<typeof send>[] = [];
    for (let time = 0; time < 20; time++) modest.push(send('modest', 2, 1));
    await run();
    expect(greedy.turnedAway).toBeGreaterThan(4_000);
    expect(modest.map(({ turnedAway }) => turnedAway)).toEqual(modest.map(() => 0));
  });
});

describe('the delay', () => {
  it('takes in what can be borne, whatever comes', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    for (let time = 0; time < 20; time++) expect(await turn(50, 2)).toBe(50);
  });

  it('forgives one long turn: it was somebody’s large request', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    for (let time = 0; time < 20; time++) {
      expect(await turn(1, 400)).toBe(1);
      expect(await turn(20, 1)).toBe(20);
    }
  });

  it('turns away what has waited too long where that lasts, and recovers at once', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    expect(await turn(400, 1)).toBe(400);
    for (let time = 0; time < 20; time++) expect(await turn(400, 1)).toBeLessThan(110);
    expect(await turn(50, 1)).toBe(50);
    expect(await turn(400, 1)).toBe(400);
  });

  it('does not bear with lateness at any length', async () => {
    const taken = await handLoop({ maxDelayMs: 100 }).turn(5_000, 1);
    expect(taken).toBeGreaterThan(390);
    expect(taken).toBeLessThan(410);
  });

  it('takes in a few however long they take: the machine is slow, and they are not too many', async () => {
    const { turn } = handLoop({ maxDelayMs: 100 });
    for (let time = 0; time < 20; time++) expect(await turn(32, 50)).toBe(32);
    expect(await turn(60, 50)).toBeLessThan(40);
  });

  it('forgets what was late some time ago', async () => {
    const { loop, turn } = handLoop({ maxDelayMs: 100 });
    expect(await turn(400, 1)).toBe(400);
    loop.ms += 5_000;
    expect(await turn(400, 1)).toBe(400);
  });

  it('is any where none is set', async () => {
    const { turn } = handLoop({ maxDelayMs: null });
    for (let time = 0; time < 5; time++) expect(await turn(900, 10)).toBe(900);
  });
});
