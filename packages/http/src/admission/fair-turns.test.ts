import { nextTurn } from '@leeward/engine';
import { describe, expect, it } from 'vitest';
import { createFairTurns, type FairTurns, type FairTurnsOptions } from './fair-turns.ts';

interface HandLoop {
  ms: number;
  callbacks: (() => void)[];
}

/** An event loop by hand, on which work takes as long as it is told to. */
function handLoop(options: FairTurnsOptions) {
  const loop = { ms: 0, callbacks: [] as (() => void)[] };
  const queue = createFairTurns(options, { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) });
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
    const { send, run } = handLoop({ maxDelayMs: null, turnMs: 8 });
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

describe('work', () => {
  /** One that always has another piece to do, of so long steps; and what was done for it. */
  const busy = (turns: FairTurns, loop: { ms: number }, tenant: string, stepMs: number) => {
    const done = { ms: 0 };
    void (async () => {
      const piece = turns.pieceOf(tenant);
      for (;;) {
        await nextTurn(piece);
        loop.ms += stepMs;
        done.ms += stepMs;
      }
    })();
    return done;
  };
  const runUntil = async (loop: HandLoop, isOver: () => boolean) => {
    for (let turn = 0; !isOver(); turn++) {
      expect(turn, 'It takes for ever.').toBeLessThan(10_000);
      for (const callback of loop.callbacks.splice(0)) {
        callback();
        await microtasks();
      }
    }
  };
  const start = () => {
    const loop: HandLoop = { ms: 0, callbacks: [] };
    return { loop, turns: createFairTurns({}, { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) }) };
  };

  it('is what is shared, not turns: long steps bring nothing', async () => {
    const { loop, turns } = start();
    const long = busy(turns, loop, 'long', 40);
    const short = busy(turns, loop, 'short', 1);
    await runUntil(loop, () => loop.ms > 4_000);
    expect(Math.abs(long.ms - short.ms)).toBeLessThan(150);
  });

  it('of one request of some steps waits once, not once a step, however many others work', async () => {
    const { loop, turns } = start();
    for (let other = 0; other < 16; other++) busy(turns, loop, `other ${other}`, 5);
    await runUntil(loop, () => loop.ms > 2_000);
    for (let time = 0; time < 10; time++) {
      const asked = loop.ms;
      let answered = 0;
      void (async () => {
        const piece = turns.pieceOf('modest');
        for (let step = 0; step < 10; step++) {
          await nextTurn(piece);
          loop.ms += 1;
        }
        piece.end();
        answered = loop.ms;
      })();
      await runUntil(loop, () => answered > 0);
      // Its own 10 ms, a piece under way, and what others begin in turns of the loop that it does not fill.
      expect(answered - asked).toBeLessThanOrEqual(10 + 3 * 5);
      const until = loop.ms + 500;
      await runUntil(loop, () => loop.ms > until);
    }
  });

  it('that nobody waited for is owed to nobody, and rest saves up no more than a few turns', async () => {
    const { loop, turns } = start();
    const alone = busy(turns, loop, 'alone', 5);
    await runUntil(loop, () => loop.ms > 5_000);
    const before = alone.ms;
    const late = busy(turns, loop, 'late', 5);
    await runUntil(loop, () => late.ms + alone.ms - before > 1_000);
    expect(late.ms - (alone.ms - before)).toBeLessThanOrEqual(4 * 5 + 2 * 5);
    expect(late.ms).toBeGreaterThan(490);
  });

  it('is what was computed: what a busy machine holds up is nobody’s', async () => {
    const { loop } = start();
    let worked = 0;
    const turns = createFairTurns(
      {},
      { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run), workedMs: () => worked },
    );
    const done = { held: 0, other: 0 };
    const work = async (tenant: keyof typeof done, heldUpMs: number) => {
      const piece = turns.pieceOf(tenant);
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

  it('that was not told of by a step is counted at its end', async () => {
    const { loop, turns } = start();
    const steady = busy(turns, loop, 'steady', 5);
    await runUntil(loop, () => loop.ms > 1_000);
    const before = loop.ms;
    let asked = 0;
    void (async () => {
      for (;;) {
        const piece = turns.pieceOf('requests');
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

  it('of a halt is nobody’s: what came during it is worked off, and shedding begins again', async () => {
    const loop = { ms: 0, callbacks: [] as (() => void)[] };
    let haltedMs = 0;
    const halts = {
      look() {
        const told = haltedMs;
        haltedMs = 0;
        return told;
      },
    };
    const turns = createFairTurns(
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
        const turn = turns.enter('a');
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

  it('is any where none is set', async () => {
    const { turn } = handLoop({ maxDelayMs: null });
    for (let time = 0; time < 5; time++) expect(await turn(900, 10)).toBe(900);
  });
});

/** Seeded, so that what fails can be tried again (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As Node does after every callback: whatever follows at once has followed. */
async function microtasks(): Promise<void> {
  for (let tick = 0; tick < 60; tick++) await undefined;
}

const longestStepMs = 12;

/** Work of some tenants on a loop by hand: pieces of steps that begin by and by, in the order of a random source. */
async function workAtRandom(random: () => number, turnMs: number) {
  const loop = { ms: 0, callbacks: [] as (() => void)[] };
  const turns = createFairTurns(
    { maxDelayMs: null, turnMs },
    { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) },
  );
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  const tenants = Array.from({ length: between(2, 6) }, (_, index) => ({
    name: `${index}`,
    longestStepMs: between(1, longestStepMs),
  }));
  const loopTurns: { workMs: number; lastStepMs: number }[] = [];
  /** What was done for each tenant. */
  const done = new Map<string, number>(tenants.map(({ name }) => [name, 0]));
  /** The most that was done for any other tenant while one waited for a turn. */
  const waits: { tenant: string; othersMs: number }[] = [];
  let left = 0;
  const work = async (tenant: (typeof tenants)[number], steps: number) => {
    const turn = turns.pieceOf(tenant.name);
    for (let step = 0; step < steps; step++) {
      const before = new Map(done);
      await nextTurn(turn);
      const own = done.get(tenant.name)! - before.get(tenant.name)!;
      const others = [...done].filter(([name]) => name !== tenant.name);
      waits.push({
        tenant: tenant.name,
        othersMs: Math.max(...others.map(([name, ms]) => ms - before.get(name)!)) - own,
      });
      const stepMs = between(1, tenant.longestStepMs);
      loop.ms += stepMs;
      done.set(tenant.name, done.get(tenant.name)! + stepMs);
      const now = loopTurns.at(-1)!;
      now.workMs += stepMs;
      now.lastStepMs = stepMs;
    }
    turn.end();
    left--;
  };
  let toCome = between(5, 40);
  loopTurns.push({ workMs: 0, lastStepMs: 0 });
  while (toCome > 0 || left > 0) {
    // What comes in: input, before the callbacks of the turn.
    for (let more = between(0, 3); more > 0 && toCome > 0; more--) {
      left++;
      toCome--;
      void work(tenants[between(0, tenants.length - 1)]!, between(1, 12));
      await microtasks();
    }
    if (random() < 0.3) turns.giveWay();
    // A turn goes from these callbacks to the next, with what comes in between.
    loopTurns.push({ workMs: 0, lastStepMs: 0 });
    for (const callback of loop.callbacks.splice(0)) {
      callback();
      await microtasks();
    }
    if (loopTurns.length > 10_000) throw new Error(`Somebody waits for ever: ${left} left.`);
  }
  return { loopTurns, waits };
}

describe('pieces of work', () => {
  const seed = Number(process.env['LEEWARD_SEED'] ?? 20261122);
  const runs = 40 * Number(process.env['LEEWARD_FUZZ'] ?? 1);

  it(`wait while no other is given more than may be saved and two steps, and a turn of the loop holds its budget (seed ${seed})`, async () => {
    let longestWaitMs = 0;
    for (let run = 0; run < runs; run++) {
      const turnMs = 2 + (run % 7);
      const { loopTurns, waits } = await workAtRandom(createRandom(seed + run), turnMs);
      for (const { workMs, lastStepMs } of loopTurns) {
        // What is begun in time may end late, by its last step: never by another.
        expect(workMs - lastStepMs).toBeLessThan(turnMs);
      }
      for (const { othersMs } of waits) {
        expect(othersMs).toBeLessThanOrEqual(4 * turnMs + turnMs + 2 * longestStepMs);
        longestWaitMs = Math.max(longestWaitMs, othersMs);
      }
    }
    expect(longestWaitMs).toBeGreaterThan(longestStepMs);
  });

  it('end where nobody waits for them any longer', async () => {
    const loop = { ms: 0, callbacks: [] as (() => void)[] };
    const turns = createFairTurns(
      { turnMs: 5 },
      { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) },
    );
    let end: Error | undefined;
    let steps = 0;
    const piece = turns.pieceOf('a', () => end);
    const work = (async () => {
      for (;;) {
        await nextTurn(piece);
        steps++;
        loop.ms += 3;
      }
    })();
    await microtasks();
    expect(steps).toBe(2);
    end = new Error('given up');
    for (const callback of loop.callbacks.splice(0)) callback();
    await expect(work).rejects.toThrow('given up');
    expect(steps).toBe(2);
  });
});

it('connections come before work, and work goes on all the same', async () => {
  const loop = { ms: 0, callbacks: [] as (() => void)[] };
  const turns = createFairTurns({ turnMs: 5 }, { nowMs: () => loop.ms, afterTurn: (run) => loop.callbacks.push(run) });
  let steps = 0;
  const piece = turns.pieceOf('a');
  void (async () => {
    for (;;) {
      await nextTurn(piece);
      steps++;
      loop.ms += 10;
    }
  })();
  await microtasks();
  const before = steps;
  for (let turn = 0; turn < 170; turn++) {
    turns.giveWay();
    for (const callback of loop.callbacks.splice(0)) {
      callback();
      await microtasks();
    }
  }
  expect(steps - before).toBe(10);
});
