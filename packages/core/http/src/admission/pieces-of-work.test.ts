import { nextTurn } from '@leeward/engine/compiled';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../test/support/random.ts';
import { loopByHand, microtasks } from '../testing/loop-by-hand.ts';

const MAX_STEP_MS = 12;

/** Work of some tenants on a loop by hand: pieces of steps that begin by and by, in the order of a random source. */
async function workAtRandom(random: () => number, sliceMs: number) {
  const { loop, scheduler } = loopByHand({ maxDelayMs: null, sliceMs });
  const between = (min: number, max: number) => min + Math.floor(random() * (max - min + 1));
  const tenants = Array.from({ length: between(2, 6) }, (_, index) => ({
    name: `${index}`,
    longestStepMs: between(1, MAX_STEP_MS),
  }));
  const loopTurns: { workMs: number; lastStepMs: number }[] = [];
  /** Work done for each tenant. */
  const done = new Map<string, number>(tenants.map(({ name }) => [name, 0]));
  /** Maximum work for another tenant while one waited. */
  const waits: { tenant: string; othersMs: number }[] = [];
  let left = 0;
  const work = async (tenant: (typeof tenants)[number], steps: number) => {
    const turn = scheduler.workOf(tenant.name);
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
    // New work, before the callbacks of the loop.
    for (let more = between(0, 3); more > 0 && toCome > 0; more--) {
      left++;
      toCome--;
      void work(tenants[between(0, tenants.length - 1)]!, between(1, 12));
      await microtasks();
    }
    if (random() < 0.3) scheduler.giveWay();
    // One iteration of the loop runs from these callbacks to the next ones.
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
      const sliceMs = 2 + (run % 7);
      const { loopTurns, waits } = await workAtRandom(createRandom(seed + run), sliceMs);
      for (const { workMs, lastStepMs } of loopTurns) {
        // Only the last step of a slice may exceed it.
        expect(workMs - lastStepMs).toBeLessThan(sliceMs);
      }
      for (const { othersMs } of waits) {
        expect(othersMs).toBeLessThanOrEqual(4 * sliceMs + sliceMs + 2 * MAX_STEP_MS);
        longestWaitMs = Math.max(longestWaitMs, othersMs);
      }
    }
    expect(longestWaitMs).toBeGreaterThan(MAX_STEP_MS);
  });

  it('end when their request has ended', async () => {
    const { loop, scheduler } = loopByHand({ sliceMs: 5 });
    let end: Error | undefined;
    let steps = 0;
    const piece = scheduler.workOf('a', () => end);
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
  const { loop, scheduler } = loopByHand({ sliceMs: 5 });
  let steps = 0;
  const piece = scheduler.workOf('a');
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
    scheduler.giveWay();
    for (const callback of loop.callbacks.splice(0)) {
      callback();
      await microtasks();
    }
  }
  expect(steps - before).toBe(10);
});
