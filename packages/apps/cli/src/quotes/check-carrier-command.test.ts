import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const fixtures = fileURLToPath(new URL('../../../../../fixtures/', import.meta.url));
const carrier = `${fixtures}dialects/xml/http-carrier.json`;
const request = `${fixtures}quotes/marion-fl-2004-ho3.json`;
const check = (...words: string[]) => runWords(['carrier', 'check', ...words]);

describe('leeward carrier check', () => {
  it('shows what the carrier would be sent, and what its answer reads as', async () => {
    const answer = `${fixtures}dialects/xml/answer.xml`;
    const { code, output } = await check(carrier, '--request', request, '--answer', answer);
    expect(code).toBe(0);
    expect(output).toContain('POST https://quotes.lamplighter.example/v2/homes');
    expect(output).toContain('<Form>H3</Form><Starts>12/01/2026</Starts>');
    expect(output).toContain('"carrierQuoteNumber": "L-20413"');
    const { output: json } = await check(carrier, '--request', request, '--answer', answer, '--json');
    expect(JSON.parse(json)).toMatchObject({
      ...{ carrier_key: 'lamplighter_mutual', secrets_not_set: [], unsent: null },
      ...{ sent: { method: 'POST' }, answer: { outcome: 'quoted', premiumCents: 184_350 } },
    });
  });

  it('names every fault of the file, of the request and of the answer, and what is missing', async () => {
    const file = JSON.parse(readFileSync(carrier, 'utf8'));
    const quote = JSON.parse(readFileSync(request, 'utf8'));
    using folder = temporaryFolder({
      'faulty.json': JSON.stringify({ ...file, statuses: { 700: 'refused' }, nam: 1 }),
      'secret.json': JSON.stringify({ ...file, auth: { type: 'bearer', token: `\${CARRIER_LAMP_TOKEN}` } }),
      'nobody.json': JSON.stringify({ ...quote, fields: { ...quote.fields, year_built: 'old' } }),
      'other.json': JSON.stringify({ ...quote, form_types: ['ho9'] }),
      'broken.xml': '<HomeOffer><Premium>',
    });
    const at = (name: string) => `${folder.path}/${name}`;
    expect(await check(at('faulty.json'))).toMatchObject({ code: 1, errors: expect.stringContaining('/nam') });
    expect((await check(at('secret.json'))).output).toContain('Not set here: CARRIER_LAMP_TOKEN.');
    expect((await check(carrier, '--request', at('nobody.json'))).errors).toContain('/fields/year_built');
    expect((await check(carrier, '--request', at('other.json'))).errors).toContain('is not a policy type');
    expect(await check(carrier, '--request', request, '--answer', at('broken.xml'))).toMatchObject({ code: 1 });
    expect(await check(carrier, '--request', request, '--answer', at('none.xml'))).toMatchObject({ code: 1 });
    expect(await check(carrier, '--answer', at('broken.xml'))).toMatchObject({ code: 2 });
    expect(await check(carrier, '--request', request, '--status', 'ok')).toMatchObject({ code: 2 });
  });
});
