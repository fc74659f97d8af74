import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Service, UnreachableError } from '../service/service.ts';
import { serveStdio } from './serve-stdio.ts';

const call = (id: number, name: string, args: object = {}) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } })}\n`;

/** Serves lines until their end. @returns the answers by id, and the errors. */
async function serve(
  lines: readonly string[],
  service: Partial<Service>,
  stop: Promise<unknown> = new Promise(() => {}),
) {
  const input = new PassThrough();
  const output = new PassThrough();
  const errors: unknown[] = [];
  const served = serveStdio({
    service: { call: async () => ({ status: 500, body: {} }), document: async () => ({}) as never, ...service },
    review: async () => ({ faults: [] }),
    resources: [],
    onError: (error) => errors.push(error),
    stop,
    input,
    output,
  });
  for (const line of lines) input.write(line);
  input.end();
  await served;
  output.end();
  const answers = (await text(output)).split('\n').filter((line) => line !== '');
  return { errors: errors.map(String), answers: answers.map((line) => JSON.parse(line) as Record<string, never>) };
}

const holder = { status: 200, body: { organization: null, scopes: ['underwrite', 'distance'] } };

describe('the server on streams', () => {
  it('answers every request that arrived before the end of its input', async () => {
    const slow: Partial<Service> = {
      async call(path) {
        await sleep(20);
        return path === '/v1/token' ? holder : { status: 429, body: { code: 'rate_limited', detail: 'Slower.' } };
      },
    };
    const { answers, errors } = await serve([call(1, 'decide', { home: {} }), call(2, 'decide', { home: {} })], slow);
    expect(answers.map(({ id }) => id)).toEqual([1, 2]);
    expect(answers[0]).toMatchObject({ result: { isError: true, content: [{ text: 'rate_limited: Slower.' }] } });
    expect(errors).toEqual([]);
  });

  it('goes on after lines that are not messages', async () => {
    const { answers, errors } = await serve(['garbage\n', '{"jsonrpc":"2.0"}\n', call(1, 'nothing')], {
      call: async () => holder,
    });
    expect(answers).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('There is no tool "nothing"') } },
    ]);
    expect(errors).toHaveLength(2);
  });

  it('names a service that is gone, and hides unexpected errors from the model', async () => {
    const gone = await serve([call(1, 'decide', { home: {} })], {
      call: () => Promise.reject(new UnreachableError('The service cannot be reached.')),
    });
    expect(gone.answers).toMatchObject([{ result: { content: [{ text: 'The service cannot be reached.' }] } }]);
    const broken = await serve([call(1, 'decide', { home: {} })], {
      call: () => Promise.reject(new Error('/secret/path')),
    });
    expect(JSON.stringify(broken.answers)).toContain('failed unexpectedly');
    expect(JSON.stringify(broken.answers)).not.toContain('secret');
    expect(broken.errors).toEqual(['Error: /secret/path']);
  });

  it('stops during a call that never ends', async () => {
    const stop = sleep(50);
    const { answers } = await serve([call(1, 'decide', { home: {} })], { call: () => new Promise(() => {}) }, stop);
    expect(answers).toEqual([]);
  });
});
