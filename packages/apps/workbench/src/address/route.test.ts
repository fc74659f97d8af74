import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const address = { hash: '' };
let hear: () => void = () => {};

beforeEach(() => {
  vi.stubGlobal('location', address);
  vi.stubGlobal('history', {
    replaceState: (_state: null, _title: string, hash: string) => {
      address.hash = hash;
    },
  });
  vi.stubGlobal('addEventListener', (_name: string, listener: () => void) => {
    hear = listener;
  });
});
afterEach(() => vi.unstubAllGlobals());

it('keeps an address that was opened and not heard of yet', async () => {
  const { followAddress, route, writeWords } = await import('./route.ts');
  address.hash = '#/home';
  followAddress();
  // The browser changes the address before it sends the event; a view may write in between.
  address.hash = '#/home?state=tx';
  writeWords('home', new URLSearchParams());
  expect(address.hash).toBe('#/home?state=tx');
  hear();
  expect(route.value.words.get('state')).toBe('tx');

  writeWords('home', new URLSearchParams({ state: 'tx', county: 'harris' }));
  writeWords('home', new URLSearchParams({ state: 'tx', county: 'dallas' }));
  expect(address.hash).toBe('#/home?state=tx&county=dallas');
  writeWords('quotes', new URLSearchParams({ quote: 'one' }));
  expect(address.hash).toBe('#/home?state=tx&county=dallas');
});
