import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { DemoKeys } from './support/demo.ts';
import { personalOf, plant } from './support/planted.ts';
import { createQuoter, eventually, startQuotingHere } from './support/quoting-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'leeward-erasure-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const operatorToken = `operator-${'o'.repeat(40)}`;

/** Every file that a service keeps, its logs' side files included. */
function everyByte(): string {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return paths.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
}

it('removes all erased data: by quote, by insured, and with the organization', async () => {
  const service = await startQuotingHere(['serve', '--demo'], {
    LEEWARD_DATA_DIR: folder,
    LEEWARD_OPERATOR_TOKEN: operatorToken,
  });
  const keys = JSON.parse(readFileSync(join(folder, 'demo.json'), 'utf8')) as DemoKeys;
  const post = async (path: string, body: object, token = keys.team_token) => {
    const response = await fetch(`${keys.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const quoter = createQuoter(keys.url, keys);
  const fixture = JSON.parse(readFileSync('fixtures/quotes/marion-fl-2004-ho3.json', 'utf8')) as {
    fields: Record<string, unknown>;
  };
  const quoteOf = async (person: ReturnType<typeof plant>) => {
    const { first, last, email, phone, born, street, note } = person;
    const fields = {
      ...fixture.fields,
      ...{ first_name: first, last_name: last, insured_email: email, insured_phone: phone },
      ...{ insured_date_of_birth: born, street, note },
    };
    return (await quoter.create({ fields, form_types: ['ho3'] })).quote_request_id;
  };
  const [byQuote, byInsured, running, withOrganization] = [plant(), plant(), plant(), plant()];
  // The endpoint does not exist, so its events stay queued.
  const { team_id } = keys;
  const hook = await post('/v1/admin/webhooks/create', { team_id, url: 'https://crm.invalid/leeward' }, operatorToken);
  expect(hook.status).toBe(200);
  const quote = await quoteOf(byQuote);
  const insured = await quoteOf(byInsured);
  const left = await quoteOf(withOrganization);
  await eventually(
    async () =>
      (await quoter.status(quote)).status === 'complete' && (await quoter.status(insured)).status === 'complete',
    () => 'not complete',
    30_000,
  );
  expect(everyByte()).toContain(byQuote.last);
  // Events of each quote wait for the endpoint, in the files that are searched.
  const { body: hooks } = await post('/v1/admin/webhooks/list', { team_id }, operatorToken);
  expect(hooks['webhooks']).toEqual([expect.objectContaining({ waiting: expect.any(Number), url: expect.anything() })]);
  expect(everyByte()).toContain('https://crm.invalid/leeward');

  expect(await post(`/api/v1/quote/${quote}/erase`, {})).toMatchObject({
    status: 200,
    body: { quote_request_id: quote, newly_erased: true },
  });
  expect((await post(`/api/v1/quote/${quote}/erase`, {})).body).toMatchObject({ newly_erased: false });
  expect((await post('/api/v1/quote/nothing/erase', {})).status).toBe(404);
  expect((await post('/api/v1/quote/erase', { insured_email: byInsured.email.toUpperCase() })).body).toEqual({
    erased: [insured],
    unreadable: 0,
  });
  expect((await post('/api/v1/quote/erase', { insured_email: 'nobody' })).status).toBe(422);
  // The sandbox takes three seconds: the call is still running.
  const underWay = await quoteOf(running);
  await post(`/api/v1/quote/${underWay}/erase`, {});
  const ended = await quoter.status(underWay);
  expect([ended.status, ended.counts.success, ended.counts.processing]).toEqual(['complete', ended.counts.success, 0]);
  expect(ended.rates.every(({ outcome }) => outcome !== null)).toBe(true);
  for (const person of [byQuote, byInsured, running])
    for (const word of personalOf(person)) expect(everyByte()).not.toContain(word);

  const { body: log } = await post('/v1/admin/audit/list', { organization_id: keys.organization_id }, operatorToken);
  const entries = (log['items'] as { action: string; subject_id: string; actor: { type: string } }[]).filter(
    ({ action }) => action.startsWith('quotes.'),
  );
  for (const subject of [quote, insured, underWay])
    expect(entries.find(({ subject_id }) => subject_id === subject)).toMatchObject({
      action: 'quotes.erase',
      actor: { type: 'token' },
    });
  const ofQuote = { organization_id: keys.organization_id, subject_id: quote };
  const { body: found } = await post('/v1/admin/audit/list', ofQuote, operatorToken);
  expect(found['items']).toEqual(entries.filter(({ subject_id }) => subject_id === quote));

  expect(everyByte()).toContain(withOrganization.last);
  const removal = await post(
    '/v1/admin/organizations/remove',
    { organization_id: keys.organization_id },
    operatorToken,
  );
  expect(removal.status).toBe(200);
  for (const word of personalOf(withOrganization)) expect(everyByte()).not.toContain(word);
  expect((await post(`/api/v1/quote/${left}`, {})).status).toBe(401);
  const { output } = await service.stop();
  for (const person of [byQuote, byInsured, running, withOrganization])
    for (const word of personalOf(person)) {
      expect(output).not.toContain(word);
      expect(everyByte()).not.toContain(word);
    }
});
