import { expect, it } from 'vitest';
import { ask, sampleService } from '../../../../../test/support/sample-service.ts';
import { createLogger } from './logger.ts';

function listLines() {
  const lines: string[] = [];
  const logger = createLogger({ destination: { write: (line) => void lines.push(line) } });
  return { lines, logger };
}

it('writes a request as one line of JSON with level and time', async () => {
  const { lines, logger } = listLines();
  await ask(sampleService({ logger }), '/v1/underwrite/home', {
    body: { state: 'tx' },
    headers: { 'x-request-id': 'one' },
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      request_id: 'one',
      method: 'POST',
      route: '/v1/underwrite/home',
      status: 200,
      duration_ms: expect.any(Number),
      token_id: `acme${'0'.repeat(22)}`,
      organization_id: 'org_acme',
      msg: 'request',
    },
  ]);
});

it('redacts fields and errors', () => {
  const { lines, logger } = listLines();
  logger.error({ note: 'Ask ada@example.com', email: 'ada', err: new Error('Bearer abcdefgh') }, 'failed');
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/ada|abcdefgh/);
  expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'error', note: 'Ask [redacted]', err: { type: 'Error' } });
});

it('writes nothing at the level silent', () => {
  const lines: string[] = [];
  createLogger({ level: 'silent', destination: { write: (line) => void lines.push(line) } }).error({}, 'failed');
  expect(lines).toEqual([]);
});
