import { describe, expect, it } from 'vitest';
import { ask, problemOf, sampleService } from '../testing/sample-service.ts';
import { createOverloadGuard } from './overload-guard.ts';

/** An event loop by hand: requests arrive within a turn, and the turn ends when it is told to. */
function handLoop() {
  const loop = {
    ms: 0,
    ends: [] as (() => void)[],
    endTurn() {
      for (const end of loop.ends.splice(0)) end();
    },
  };
  return loop;
}

function guardOf(loop: ReturnType<typeof handLoop>, limits: Parameters<typeof createOverloadGuard>[0]) {
  const guard = createOverloadGuard(limits, { nowMs: () => loop.ms, afterTurn: (run) => loop.ends.push(run) });
  /** A turn in which so many requests arrive, each of so much work; how many were taken in. */
  return (requests: number, workMs: number) => {
    let taken = 0;
    for (let request = 0; request < requests; request++) {
      if (!guard.enter(loop.ms)) continue;
      taken++;
      loop.ms += workMs;
      guard.leave();
    }
    loop.endTurn();
    return taken;
  };
}

describe('the delay', () => {
  it('takes in what can be borne, whatever comes', () => {
    const turn = guardOf(handLoop(), { mostDelayMs: 100 });
    for (let time = 0; time < 20; time++) expect(turn(50, 2)).toBe(50);
  });

  it('forgives one long turn: it was somebody’s large request', () => {
    const turn = guardOf(handLoop(), { mostDelayMs: 100 });
    for (let time = 0; time < 20; time++) {
      expect(turn(1, 400)).toBe(1);
      expect(turn(20, 1)).toBe(20);
    }
  });

  it('turns away in the second long turn what has waited too long, as long as it lasts, and recovers at once', () => {
    const turn = guardOf(handLoop(), { mostDelayMs: 100 });
    expect(turn(400, 1)).toBe(400);
    for (let time = 0; time < 20; time++) expect(turn(400, 1)).toBe(101);
    expect(turn(50, 1)).toBe(50);
    expect(turn(400, 1)).toBe(400);
  });

  it('does not bear with a long turn at any length', () => {
    expect(guardOf(handLoop(), { mostDelayMs: 100 })(5_000, 1)).toBe(401);
  });

  it('takes in a few however long they take: the machine is slow, and they are not too many', () => {
    const turn = guardOf(handLoop(), { mostDelayMs: 100 });
    for (let time = 0; time < 20; time++) expect(turn(32, 50)).toBe(32);
    expect(turn(40, 50)).toBe(32);
  });

  it('forgets a long turn of some time ago', () => {
    const loop = handLoop();
    const turn = guardOf(loop, { mostDelayMs: 100 });
    expect(turn(400, 1)).toBe(400);
    loop.ms += 5_000;
    expect(turn(400, 1)).toBe(400);
  });

  it('is any where none is set', () => {
    const turn = guardOf(handLoop(), { mostDelayMs: null });
    for (let time = 0; time < 5; time++) expect(turn(900, 10)).toBe(900);
  });
});

describe('what is at work', () => {
  it('is so many at most, and room is there again as soon as one is answered', () => {
    const guard = createOverloadGuard({ mostInFlight: 2 });
    expect([guard.enter(0), guard.enter(0), guard.enter(0)]).toEqual([true, true, false]);
    guard.leave();
    expect([guard.enter(0), guard.enter(0)]).toEqual([true, false]);
  });

  it('is answered 503 beyond it, before anything is looked at, while /healthz goes on', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let asked = 0;
    const directory = {
      authenticate() {
        asked++;
        return promise;
      },
    };
    const leeward = sampleService({ directory, overload: { mostInFlight: 1 } });
    const first = ask(leeward, '/v1/underwrite/home', { body: { state: 'tx' } });
    const second = await ask(leeward, '/v1/underwrite/home', { body: { state: 'tx' } });
    expect(second.status).toBe(503);
    expect(second.headers.get('retry-after')).toBe('1');
    expect(await problemOf(second)).toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(1);
    for (const path of ['/healthz', '/readyz', '/openapi.json'])
      expect((await ask(leeward, path, { method: 'GET', token: null })).status).toBe(200);
    resolve(undefined);
    expect((await first).status).toBe(401);
    expect((await ask(leeward, '/v1/underwrite/home', { body: { state: 'tx' } })).status).toBe(401);
  });
});
