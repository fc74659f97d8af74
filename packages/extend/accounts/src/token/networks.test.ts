import { expect, it } from 'vitest';
import { readNetwork } from './networks.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7/32 ', '203.0.113.7'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['0.0.0.0/0', '0.0.0.0/0'],
  ['2001:DB8:0::/48', '2001:db8::/48'],
  ['2001:db8::1', '2001:db8::1'],
  ['::/0', '::/0'],
  ['::ffff:192.0.2.0/120', '192.0.2.0/24'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['1:2:3:4:5:6:7:8/128', '1:2:3:4:5:6:7:8'],
])('reads %s', (text, network) => {
  expect(readNetwork(text)).toEqual({ network });
});

it.each([
  ['10.0.0.5/8', '10.0.0.0/8 instead of 10.0.0.5/8'],
  ['2001:db8::1/48', '2001:db8::/48 instead of 2001:db8::1/48'],
  ...[
    '',
    'localhost',
    '10.0.0',
    '010.0.0.1',
    '10.0.0.1/33',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '10.0.0.0/-1',
    '::/129',
    'fe80::1%eth0',
    '*',
  ].map((text) => [text, JSON.stringify(text)]),
])('refuses %j and names it', (text, named) => {
  expect(readNetwork(text!)).toEqual({ message: expect.stringContaining(named!) });
});
