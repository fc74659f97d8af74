import { expect, it } from 'vitest';
import { createTokenWarnings } from './token-warnings.ts';

it('reports numbers of tokens to rotate, counted once a minute', async () => {
  let nowMs = 0;
  let count = 0;
  const tokenReminders = async () => ({ expires_soon: ++count, exceeds_policy: count - 1 });
  const warnings = createTokenWarnings({ tokenReminders }, () => nowMs);
  expect(await warnings()).toEqual([
    {
      code: 'tokens_expire_soon',
      message: expect.stringMatching(/^1 token expires within 14 days: leeward token list/),
    },
  ]);
  nowMs = 59_999;
  expect(await warnings()).toHaveLength(1);
  nowMs = 60_000;
  expect(await warnings()).toEqual([
    { code: 'tokens_expire_soon', message: expect.stringMatching(/^2 tokens expire/) },
    {
      code: 'tokens_exceed_policy',
      message: expect.stringMatching(/^1 token is valid for longer than LEEWARD_TOKEN_MAX_DAYS/),
    },
  ]);
});

it('counts again after a failure', async () => {
  let isDown = true;
  const tokenReminders = async () => {
    if (isDown) throw new Error('The store is down.');
    return { expires_soon: 0, exceeds_policy: 0 };
  };
  const warnings = createTokenWarnings({ tokenReminders }, () => 0);
  await expect(warnings()).rejects.toThrow('down');
  isDown = false;
  expect(await warnings()).toEqual([]);
});
