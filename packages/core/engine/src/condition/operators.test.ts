import { Engine, Operator } from 'json-rules-engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testVolume } from '../../../../../test/support/test-volume.ts';
import { decoratorNames, hostOperatorFunction, operatorFunction, operatorNames, parseOperator } from './operators.ts';

interface Operators {
  get(name: string): { evaluate(factValue: unknown, value: unknown): boolean } | null | undefined;
}
const engine = new Engine();
const theirs = (engine as unknown as { operators: Operators }).operators;

const scalars: readonly unknown[] = [
  ...[0, -0, 1, 2, 2.5, -1, 12, 1e21, Number.NaN, Number.POSITIVE_INFINITY],
  ...['', ' ', '0', '1', '2', '9', '12', '2.5', '1e3', '0x10', 'abc', '12abc', 'rental', 'ent'],
  ...[true, false, null, undefined],
];
const values: readonly unknown[] = [
  ...scalars,
  ...[[], [1], [1, 2], ['1', '2'], ['rental', 'vacant'], [[1], [2]], [null], [undefined], ['12', 5], {}, { length: 1 }],
];

// Thousands of tests throw here; without stack traces this takes a tenth of the time.
const { stackTraceLimit } = Error;
beforeAll(() => {
  Error.stackTraceLimit = 0;
});
afterAll(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

type Answer = boolean | 'throws';
function answer(run: () => boolean): Answer {
  try {
    return run();
  } catch {
    return 'throws';
  }
}

describe('operators and decorators', () => {
  it('are those of json-rules-engine, every one', () => {
    const own = engine as unknown as {
      operators: { operators: Map<string, unknown>; decorators: Map<string, unknown> };
    };
    expect([...own.operators.operators.keys()].filter((name) => !name.includes(':')).sort()).toEqual(
      [...operatorNames].sort(),
    );
    expect([...own.operators.decorators.keys()].sort()).toEqual([...decoratorNames].sort());
  });

  const prefixes = ['', ...decoratorNames, ...decoratorNames.flatMap((a) => decoratorNames.map((b) => `${a}:${b}`))];
  // Every tenth pair of decorators; all pairs at ten times the volume.
  const step = Math.max(1, Math.round(400 / testVolume(40)));
  it.each(operatorNames)('%s answers (and throws) as theirs, under every one and two decorators', (name) => {
    let compared = 0;
    for (const [place, prefix] of prefixes.entries()) {
      const every = prefix.includes(':') ? step : 1;
      const full = prefix === '' ? name : `${prefix}:${name}`;
      const mine = operatorFunction(full)!;
      const their = theirs.get(full)!;
      let pair = place;
      for (const left of values) {
        for (const right of values) {
          if (pair++ % every !== 0) continue;
          const [a, b] = [answer(() => mine(left, right)), answer(() => their.evaluate(left, right))];
          // Their validators may return a string for a boolean.
          const same = a === b || (typeof b !== 'string' && a === Boolean(b));
          if (!same)
            throw new Error(`${full} of ${JSON.stringify(left)} and ${JSON.stringify(right)}: ${a}, theirs ${b}`);
          compared++;
        }
      }
    }
    const pairs = values.length ** 2;
    const under = prefixes.filter((prefix) => prefix.includes(':')).length;
    expect(compared).toBeGreaterThanOrEqual((prefixes.length - under) * pairs + under * Math.floor(pairs / step));
  });

  it('are not found under unknown names', () => {
    for (const name of [
      '',
      'Equal',
      'equals',
      ':equal',
      'equal:',
      'not',
      'not:',
      'toString',
      '__proto__',
      'constructor:equal',
      'nto:equal',
    ]) {
      expect([name, parseOperator(name), operatorFunction(name)]).toEqual([name, undefined, undefined]);
    }
    expect(parseOperator(`${'not:'.repeat(17)}equal`)).toBeUndefined();
    expect(parseOperator('not:swap:equal')).toMatchObject({ decorators: ['not', 'swap'], base: { name: 'equal' } });
  });

  it('of a host accept decorators and override built-in ones', () => {
    const host = {
      isNear: (a: unknown, b: unknown) => Math.abs((a as number) - (b as number)) < 2,
      'geo:near': () => true,
      equal: () => false,
    };
    const both = new Engine();
    for (const [name, test] of Object.entries(host)) both.addOperator(new Operator(name, test));
    const operators = (both as unknown as { operators: Operators }).operators;
    for (const name of [
      'isNear',
      'not:isNear',
      'someFact:isNear',
      'swap:not:isNear',
      'geo:near',
      'not:geo:near',
      'equal',
      'not:equal',
    ]) {
      for (const left of [1, 5, [1, 5]]) {
        for (const right of [1, 6]) {
          expect([name, hostOperatorFunction(name, host)?.(left, right)]).toEqual([
            name,
            operators.get(name)?.evaluate(left, right),
          ]);
        }
      }
    }
    for (const name of ['', 'nto:isNear', 'isNear:', 'toString', 'notEqual', 'geo']) {
      expect(hostOperatorFunction(name, host)).toBeUndefined();
    }
  });
});
