import { expect, it } from 'vitest';
import { emailKey } from './email.ts';

it('finds people by their address however it is written', () => {
  expect(emailKey(' ANA@Example.COM ')).toBe('ana@example.com');
  expect(emailKey('NU\u0301N\u0303EZ@x.com')).toBe(emailKey('núñez@x.com'));
});
