import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { rateStates, transitions } from './transitions.ts';

const file = join(import.meta.dirname, '../../../../../docs/quotes.md');
const [start, end] = ['<!-- transitions -->\n', '<!-- /transitions -->'];

function describeTransitions(): string {
  const all = Object.entries(transitions).map(([name, each]) => ({
    ...each,
    name: name.replaceAll('_', ' '),
    from: each.from.length === 0 ? ['[*]'] : each.from,
  }));
  const arrows = all.flatMap(({ name, from, to }) =>
    from.flatMap((one) => to.map((other) => ({ arrow: `${one} --> ${other}`, name }))),
  );
  const lines = [...Map.groupBy(arrows, ({ arrow }) => arrow)].map(
    ([arrow, same]) => `    ${arrow}: ${same.map(({ name }) => name).join(', ')}`,
  );
  const rows = all.map(({ name, from, to, when, effect }) => {
    const states = from.map((state) => state.replace('[*]', 'new')).join(', ');
    return `| ${name} | ${states} | ${to.join(', ')} | ${when} | ${effect} |`;
  });
  const head = ['| transition | from | to | when | effect |', '|---|---|---|---|---|'];
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```', '', ...head, ...rows, ''].join('\n');
}

it('the documentation shows the transitions of the store', () => {
  const page = readFileSync(file, 'utf8');
  const [before, rest] = page.split(start) as [string, string];
  const [shown, after] = rest.split(end) as [string, string];
  const current = describeTransitions();
  // LEEWARD_WRITE_DOCS=1 writes them anew.
  if (process.env.LEEWARD_WRITE_DOCS === '1') writeFileSync(file, `${before}${start}${current}${end}${after}`);
  else expect(shown).toBe(current);
});

it('every state is entered and left, and an ended rate is not left', () => {
  const all = Object.values(transitions).map(({ from, to }) => ({
    from: from as readonly string[],
    to: to as readonly string[],
  }));
  for (const state of rateStates) {
    expect(
      all.some(({ to }) => to.includes(state)),
      state,
    ).toBe(true);
    expect(
      all.some(({ from }) => from.includes(state)),
      state,
    ).toBe(state !== 'ended');
  }
});
