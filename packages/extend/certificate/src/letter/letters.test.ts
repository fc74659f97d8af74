import { describe, expect, it } from 'vitest';
import { issueCertificate } from '../issue/issue-certificate.ts';
import { issueSample, sampleOptions } from '../testing/sample-home.ts';
import { readTemplate, TemplateError } from './template.ts';
import { createLetters } from './write-letters.ts';

const { certificate } = await issueSample();
const { content } = certificate;

describe('letters of declination', () => {
  it('give reasons, values, limits, sources and the rules, for each carrier that declined', () => {
    expect(content.letters?.map(({ carrier_key }) => carrier_key)).toEqual(['bluestem']);
    const { text, html } = content.letters![0]!;
    for (const part of [
      'Palmetto & Sons\nNovember 20, 2026\n\nPat "Doe"\n\nBluestem <Mutual> & Co declines HO3',
      'Reference: PC-1042',
      '1. A roof may be 15 years old; this one is 22.',
      'Age of the roof: 22 years, which is more than 15 years. Source of the value: the request (inspection, 2026-05-01).',
      '2. Less than 10 miles from the ocean.',
      'No change to the home would make Bluestem <Mutual> & Co accept it.',
      content.certificate_id,
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/\n{3,}/);
    expect(html).toContain('Bluestem &lt;Mutual&gt; &amp; Co declines HO3');
    expect(html).not.toMatch(/<script|href=|src=|\{\{/);
  });

  it('name what would change the answer', async () => {
    const home = { state: 'fl', policy_type: 'ho3', roof_type: 'metal', roof_age: 22, distance_to_ocean_miles: 30 };
    const { certificate: other } = await issueCertificate(home, { ...sampleOptions, writeLetters: createLetters() });
    const [letter] = other.content.letters!;
    expect(letter?.text).toContain(
      'The answer would be "eligible" with this change:\n   - age of the roof: at most 15 years',
    );
  });

  it('follow the templates of an agency', () => {
    const letters = createLetters({
      text: 'Dear {{prepared_for}}:{{#reasons}}{{#tests}} {{label}} {{value}} ({{limit}}){{/tests}}{{/reasons}}',
      html: '<b>{{carrier}}</b>{{^ways}}<i>{{no_way}}</i>{{/ways}}',
    })(content);
    expect(letters[0]?.text).toBe(
      'Dear Pat "Doe": age of the roof 22 years (is more than 15 years) distance to the open ocean 3.06 to 3.19 miles (is less than 10 miles)',
    );
    expect(letters[0]?.html).toMatch(/^<b>Bluestem &lt;Mutual&gt; &amp; Co<\/b><i>No change/);
  });

  it.each([
    ['{{carier}}', 'Line 1 of the template: "carier" is not a name here. Did you mean "carrier"?'],
    ['a\n{{#reasons}}\n{{text}}{{/reasons}}', 'Line 3'],
    ['\n{{#reasons}}', 'Line 2 of the template: {{#reasons}} is not closed'],
    ['{{#reasons}}{{#tests}}{{/reasons}}', '{{/reasons}} closes no section; {{#tests}} is open'],
    ['{{/reasons}}', 'none is open'],
    ['{{reasons}}', '"reasons" is a list'],
    ['{{constructor}}', 'is not a name here'],
    ['{{__proto__}}', 'is not a name here'],
    ['a\n{{{carrier}}}', 'Line 2 of the template: write {{name}}; every value is escaped'],
    ['{{> other}}', 'is not a name here'],
    ['x'.repeat(65_537), '65536 are allowed'],
    ['{{#carrier}}'.repeat(9), 'nested deeper than 8'],
  ])('refuse the template %#, with its line', (text, message) => {
    expect(() => createLetters({ text })).toThrow(TemplateError);
    expect(() => createLetters({ text })).toThrow(message);
  });
});

describe('a template', () => {
  const names = { list: { item: 'text' }, word: 'text' } as const;
  const write = (source: string, list: string[]) =>
    readTemplate(source, names, (value) => value)({ word: 'w', list: list.map((item) => ({ item })) });

  it('removes the lines of sections, and keeps sections within a line', () => {
    expect(write('a\n{{#list}}\n- {{item}}\n{{/list}}\nb', ['1', '2'])).toBe('a\n- 1\n- 2\nb');
    expect(write('a {{#list}}<{{ item }}>{{/list}} b', ['1', '2'])).toBe('a <1><2> b');
    expect(write('{{^list}}\nnone\n{{/list}}\n', [])).toBe('none\n');
    expect(write('a\r\n{{#list}}\r\n{{item}} {{word}}\r\n{{/list}}\r\n', ['1'])).toBe('a\n1 w\n');
  });

  it('stops where nested lists multiply', () => {
    const nested = `${'{{#list}}'.repeat(8)}{{item}}${'{{/list}}'.repeat(8)}`;
    const all = Array.from({ length: 100 }, (_, at) => String(at));
    const source = { list: { item: 'text', list: { item: 'text' } } } as const;
    expect(() =>
      readTemplate(
        nested,
        { ...source, word: 'text' },
        (value) => value,
      )({ word: '', list: all.map((item) => ({ item })) }),
    ).toThrow('longer than 262144 characters');
  });

  it('writes values that look like tags unchanged', () => {
    expect(write('{{#list}}{{item}}{{/list}}', ['{{word}}'])).toBe('{{word}}');
  });
});
