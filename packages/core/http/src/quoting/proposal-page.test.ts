import { createHash } from 'node:crypto';
import type { ComparedRate, QuoteComparison } from '@leeward/quotes';
import { expect, it } from 'vitest';
import { comparison, fullRate } from '../routes/quoting/quote-examples.ts';
import { proposalPage } from './proposal-page.ts';

const [example] = comparison.rates as unknown as [ComparedRate];
const rate = (id: string, more: Partial<ComparedRate> = {}): ComparedRate => ({ ...example, id, ...more });
const [amount] = fullRate.deductibles;
const compared = (rates: readonly ComparedRate[]) =>
  ({
    ...comparison,
    insured: { name: 'Dana <b>Whitfield</b>', address: '1420 Larkspur Ave' },
    rates,
    lines: [{ ...comparison.lines[0]!, name: 'Hurricane', values: rates.map((_, at) => (at === 1 ? null : amount)) }],
  }) as unknown as QuoteComparison;

it('has rates by form type, at most three side by side, with the agency and the insured, escaped', () => {
  const terms = [{ name: 'h', text: 'at least 5 percent', result: 'violated', value: 2 }] as const;
  const rates = [
    rate('a', { carrier: 'First & <script>' }),
    ...['b', 'c', 'd'].map((id) => rate(id)),
    rate('e', { form_type: 'dp3', violates_terms: true, terms, premium: '1234567.89' }),
  ];
  const { html } = proposalPage(compared(rates), 'Palmetto "Coast"', () => true);
  expect(html.match(/<h2>\w+/g)).toEqual(['<h2>DP3', '<h2>HO3']);
  expect(html.match(/<table class="c\d"/g)).toEqual(['<table class="c1"', '<table class="c3"', '<table class="c1"']);
  for (const text of [
    '<h1>Palmetto &quot;Coast&quot;</h1>',
    'First &amp; &lt;script&gt;',
    'Dana &lt;b&gt;Whitfield',
    '2 % ($7,000)',
    '$1,234,567.89',
    'Not met: at least 5 percent',
    '<td>–</td>',
  ]) {
    expect(html).toContain(text);
  }
  expect(html).not.toMatch(/<script|<b>|style="|http:/);
});

it('has only the chosen rates, and a sentence if there are none', () => {
  const { html } = proposalPage(compared([rate('a'), rate('b', { carrier: 'Second' })]), 'A', (id) => id === 'b');
  expect(html).toContain('Second');
  expect(html).not.toContain(example.carrier);
  expect(proposalPage(compared([]), 'A', () => true).html).toContain('No carrier has offered a premium.');
});

it('has a policy that allows only the style of the page', () => {
  const { html, policy } = proposalPage(compared([rate('a')]), 'A', () => true);
  const style = /<style>([\s\S]*?)<\/style>/.exec(html)![1]!;
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  expect(policy).toContain("default-src 'none'");
});
