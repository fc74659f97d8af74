import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Demo, startDemo } from './support/demo.ts';
import { workspace } from './support/running-leeward.ts';

const guide = join(workspace, 'docs/agents.md');
const block = /```json\n(\{ "name": .*\})\n```\n\n```text\n([\s\S]*?)```/g;
let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
});
afterAll(() => demo.stop());

/** `LEEWARD_RECORD=1` writes the answers into the guide. */
it('the recorded sessions of the guide are what a demo answers', async () => {
  const connect = async (token: string) => {
    const client = new Client({ name: 'guide', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${demo.url}/mcp`), { requestInit });
    // The type of the SDK does not allow for undefined session ids.
    await client.connect(transport as unknown as Parameters<Client['connect']>[0]);
    return client;
  };
  const [agency, author] = await Promise.all([connect(demo.keys.api_key), connect(demo.keys.author_token)]);
  const text = readFileSync(guide, 'utf8');
  const recorded: string[] = [];
  const answered: string[] = [];
  for (const [, call = '', answer = ''] of text.matchAll(block)) {
    const { name, arguments: args } = JSON.parse(call) as { name: string; arguments: Record<string, unknown> };
    const client = /cases|rules/.test(name) ? author : agency;
    const { content } = await client.callTool({ name, arguments: args });
    const [{ text: line }] = content as [{ text: string }];
    // Identifiers are new each time.
    answered.push(`${line.replaceAll(/\b01[0-9a-z]{24}\b/g, '01m8fz3q6h1k2m4n6p8r0t2v4x')}\n`);
    recorded.push(answer);
  }
  await Promise.all([agency.close(), author.close()]);
  if (process.env['LEEWARD_RECORD']) {
    writeFileSync(
      guide,
      text.replaceAll(block, (_, call) => `\`\`\`json\n${call}\n\`\`\`\n\n\`\`\`text\n${answered.shift()}\`\`\``),
    );
    return;
  }
  expect(recorded.length).toBeGreaterThan(6);
  expect(recorded).toEqual(answered);
});
