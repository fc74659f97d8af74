import { createFairTurns } from '@leeward/http';
import { expect, it } from 'vitest';
import { openCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { makeRulesReady } from './make-rules-ready.ts';

const today = () => new Date('2026-11-20T12:00:00Z');
const wrong = (error: unknown) => expect.unreachable(String(error));

/** How often others had their turn until something ended. */
async function turnsUntil(ended: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise(setImmediate);
    turns++;
  }
  return turns;
}

it('compiles the rules of all for today, and lets others have their turn', async () => {
  const catalog = await openCatalog(demoCarriersFolder(), '.');
  const { ended } = makeRulesReady(catalog, createFairTurns({ turnMs: 1 }), wrong, today);
  expect(await turnsUntil(ended)).toBeGreaterThan(10);
  // Nothing is left to compile.
  expect(await turnsUntil(makeRulesReady(catalog, createFairTurns(), wrong, today).ended)).toBeLessThan(5);
});

it('stops where it is when it is told to', async () => {
  const catalog = await openCatalog(demoCarriersFolder(), '.');
  const first = makeRulesReady(catalog, createFairTurns({ turnMs: 1 }), wrong, today);
  first.stop();
  await first.ended;
  expect(await turnsUntil(makeRulesReady(catalog, createFairTurns({ turnMs: 1 }), wrong, today).ended)).toBeGreaterThan(
    10,
  );
});
