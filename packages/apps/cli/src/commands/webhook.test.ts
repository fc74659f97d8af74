import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { runWords } from '../testing/run-words.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

it('leeward webhook adds, lists, tests, replays, rotates and removes; each is on the record', async () => {
  using folder = temporaryFolder();
  const environment: Record<string, string> = { LEEWARD_DATA_DIR: join(folder.path, 'data') };
  const leeward = (words: string, more: Record<string, string> = {}) =>
    runWords(words.split(' '), { environment: { ...environment, ...more }, folder: folder.path });
  const json = async (words: string, more: Record<string, string> = {}) => {
    const { code, output, errors } = await leeward(`${words} --json`, more);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    return JSON.parse(output);
  };
  const { organization_id } = await json('organization create Suncoast');
  const { team_id } = await json(`team create Personal --organization ${organization_id}`);
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push({ headers: request.headers as Record<string, string>, body });
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const refused = await leeward(`webhook add ${url} --team ${team_id}`);
    expect(refused).toMatchObject({
      code: 1,
      output: '',
      errors: expect.stringContaining('is not an https:// address'),
    });
    const nobody = await leeward('webhook add https://example.com/ --team nobody');
    expect(nobody).toMatchObject({ code: 1, errors: expect.stringContaining('There is no team nobody') });

    const own = { LEEWARD_PRIVATE_WEBHOOKS: 'true' };
    const { webhook_id, secret } = await json(`webhook add ${url} --team ${team_id} --events quote.completed`, own);
    expect(await json(`webhook test ${webhook_id}`, own)).toEqual({ delivered: true, status: 200, failure: null });
    const { headers, body } = received[0]!;
    expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' });
    // The setting applies when an event is sent, not only when a webhook is added.
    expect(await json(`webhook test ${webhook_id}`)).toMatchObject({ delivered: false, failure: 'not_https' });
    expect(await json(`webhook replay ${webhook_id} --since 2026-01-01T00:00:00Z`)).toEqual({ quotes: 0 });
    expect(await leeward(`webhook replay ${webhook_id} --since yesterday`)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('since is "yesterday"'),
    });
    expect((await json(`webhook rotate ${webhook_id}`)).secret).not.toBe(secret);
    const list = await leeward(`webhook list --team ${team_id}`);
    expect(list.output).toMatch(new RegExp(`${webhook_id}.*active`));
    expect(list.output).not.toContain('whsec_');
    await json(`webhook enable ${webhook_id}`);
    await json(`webhook remove ${webhook_id}`);
    expect(await leeward(`webhook test ${webhook_id}`)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('no such webhook'),
    });
    expect(received).toHaveLength(1);
  } finally {
    server.close();
  }
});
