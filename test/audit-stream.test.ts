import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { runWords } from '../packages/apps/cli/src/testing/run-words.ts';
import { temporaryFolder } from '../packages/apps/cli/src/testing/temporary-folder.ts';
import type { AuditItem } from '../packages/extend/accounts/src/index.ts';
import { startQuotingHere } from './support/quoting-service.ts';
import { workspace } from './support/running-leeward.ts';

const operatorToken = 'o'.repeat(40);

it('serve streams the audit log to a file and a webhook, also what other programs changed, reports a destination that is down, and a rewritten chain is found', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'audit.ndjson');
  let status = 500;
  const posted: AuditItem[] = [];
  const receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (status === 200) posted.push(...(JSON.parse(body).data.entries as AuditItem[]));
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const environment = {
    LEEWARD_DATA_DIR: join(folder.path, 'data'),
    LEEWARD_OPERATOR_TOKEN: operatorToken,
    LEEWARD_LOG_LEVEL: 'silent',
    LEEWARD_PRIVATE_WEBHOOKS: 'true',
    LEEWARD_AUDIT_STREAM: `file:${file} http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`,
    LEEWARD_AUDIT_STREAM_SECRET: `whsec_${Buffer.alloc(32, 3).toString('base64')}`,
  };
  const leeward = async (words: string) => {
    const result = await runWords(words.split(' '), { environment, folder: folder.path });
    expect([words, result.code, result.errors]).toEqual([words, 0, '']);
    return result.output;
  };
  const service = await startQuotingHere(['serve', '--carriers', join(workspace, 'fixtures/carriers')], environment);
  try {
    const url = /http:\/\/\S+/.exec(service.output())?.[0] ?? '';
    await leeward('organization create Suncoast');
    const read = async (path: string) =>
      (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${operatorToken}` } })).text();
    const warnings = async () =>
      (JSON.parse(await read('/readyz')).warnings as { code: string; message: string }[])
        .filter(({ code }) => code.startsWith('audit_'))
        .map(({ message }) => message);
    await vi.waitFor(
      async () => expect(await warnings()).toEqual([expect.stringContaining('(answered 500): 1 entries')]),
      5_000,
    );
    expect((await warnings()).join()).not.toContain('127.0.0.1');
    await vi.waitFor(async () => {
      const metrics = await read('/metrics');
      expect(metrics).toMatch(/leeward_audit_stream_failing\{destination="webhook http:.*"\} 1/);
      expect(metrics).toMatch(/leeward_audit_stream_waiting\{destination="file:.*"\} 0/);
      expect(metrics).toMatch(/leeward_audit_stream_sent_total\{destination="file:.*"\} 1/);
    }, 5_000);
    expect(existsSync(file)).toBe(true);
    status = 200;
    await leeward('organization create Palmetto');
    await vi.waitFor(() => expect(posted).toHaveLength(2), 8_000);
    await vi.waitFor(() => expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3), 3_000);
    const written = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    const byName = (items: readonly AuditItem[]) => items.toSorted((a, b) => (a.audit_id < b.audit_id ? -1 : 1));
    expect(byName(written.map((line) => JSON.parse(line)))).toEqual(byName(posted));
    expect(await warnings()).toEqual([]);

    const atService = `--url ${url} --token ${operatorToken}`;
    expect(await leeward(`audit verify ${file}`)).toMatch(/^2 entries of 2 chains verified/);
    expect(await leeward(`audit verify ${atService}`)).toMatch(/^2 entries of 2 chains verified/);
    expect(await leeward(`audit verify ${file} ${atService}`)).toContain('The service has 0 later entries');
    const [earlier = ''] = written;
    writeFileSync(file, `${earlier}\n`);
    const { organization_id } = JSON.parse(earlier) as AuditItem;
    await leeward(`team create One --organization ${organization_id}`);
    await vi.waitFor(() => expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3), 3_000);
    await leeward(`team create Two --organization ${organization_id}`);
    expect(await leeward(`audit verify ${file} ${atService}`)).toMatch(/The service has [01] later entries/);

    // A person with the database rewrites the chain, its end included.
    using database = new DatabaseSync(join(folder.path, 'data', 'leeward.sqlite'));
    database.exec('delete from accounts_audit where sequence > 1');
    const first = 'from accounts_audit where accounts_audit.organization_id = accounts_audit_chains.organization_id';
    database.exec(`update accounts_audit_chains
      set sequence = 1, hash = (select hash ${first}), audit_id = (select audit_id ${first})`);
    expect(await leeward(`audit verify ${atService}`)).toMatch(/^2 entries of 2 chains verified/);
    const rewritten = await runWords(`audit verify ${file} ${atService}`.split(' '), {
      environment,
      folder: folder.path,
    });
    expect(rewritten).toMatchObject({
      code: 1,
      output: expect.stringMatching(/: The chain of the service ends with entry 1, the file with entry [23]: /),
    });
  } finally {
    await service.stop();
    receiver.closeAllConnections();
    receiver.close();
  }
});
