import { describe, expect, it } from 'vitest';
import { problemOf } from '../../../../../test/support/sample-service.ts';
import { createKeyHolder } from '../access/key-holder.ts';
import { createLeeward } from '../leeward.ts';

const leeward = createLeeward({ directory: createKeyHolder([]) });

describe('the Host field of a web request', () => {
  it.each([
    ['a.example, b.example', 400],
    ['a.example b.example', 400],
    ['a.example', 200],
    ['leeward.example:65535', 200],
    ['leeward.example:65536', 400],
  ])('%j is answered with %i', async (host, status) => {
    const headers = new Headers({ host });
    const response = await leeward.fetch(new Request('http://leeward.test/healthz', { headers }));
    expect(response.status).toBe(status);
    if (status === 400) expect(await problemOf(response)).toMatchObject({ code: 'malformed_request' });
  });

  it('may be missing: the URL has it', async () => {
    expect((await leeward.fetch(new Request('http://leeward.test/healthz'))).status).toBe(200);
  });
});
