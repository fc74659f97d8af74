import { createTurn } from '@leeward/engine/compiled';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openCatalog } from '../carriers/carrier-files.ts';
import { demoCarriersFolder } from '../carriers/demo-carriers.ts';
import { makeRulesReady } from './make-rules-ready.ts';

const today = () => new Date('2026-11-20T12:00:00Z');
const wrong = (error: unknown) => expect.unreachable(String(error));

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

it('compiles all rules for today, and yields to other work', async () => {
  const catalog = await openCatalog(demoCarriersFolder(), '.');
  const first = makeRulesReady(catalog, wrong, today, createTurn(1));
  expect(await turnsUntil(first.ended)).toBeGreaterThan(10);
  first.stop();
  expect(await turnsUntil(makeRulesReady(catalog, wrong, today).ended)).toBeLessThan(5);
});

it('stops compiling when it is stopped', async () => {
  const catalog = await openCatalog(demoCarriersFolder(), '.');
  const first = makeRulesReady(catalog, wrong, today, createTurn(1));
  first.stop();
  await first.ended;
  expect(await turnsUntil(makeRulesReady(catalog, wrong, today, createTurn(1)).ended)).toBeGreaterThan(10);
});

it('has the rules of the next year ready before it begins', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const catalog = await openCatalog(demoCarriersFolder(), '.');
  let now = new Date('2026-12-30T12:00:00Z');
  const ready = makeRulesReady(catalog, wrong, () => now, createTurn(1));
  await ready.ended;
  onTestFinished(() => ready.stop());
  const prepared = vi.spyOn(catalog, 'prepare');
  now = new Date('2026-12-31T12:30:00Z');
  vi.advanceTimersByTime(3_600_000);
  await vi.waitFor(() => expect(prepared).toHaveBeenCalledTimes(2));
  await prepared.mock.results.at(-1)?.value;
  expect(prepared.mock.calls.map(([date]) => date)).toEqual(['2026-12-31', '2027-01-01']);
  expect(await turnsUntil(catalog.prepare('2027-01-01', undefined, createTurn(1)))).toBeLessThan(5);
});
