import { signal } from '@preact/signals';

/** Where one is: `#/home?state=fl` is the view `home` with its words. */
export interface Route {
  readonly view: string;
  readonly words: URLSearchParams;
}

function read(): Route {
  const [path = '', words = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { view: path || 'home', words: new URLSearchParams(words) };
}

export const route = signal<Route>({ view: 'home', words: new URLSearchParams() });

export function followAddress(): void {
  route.value = read();
  addEventListener('hashchange', () => {
    route.value = read();
  });
}

/** Back to the beginning; the address holds nothing any more. */
export function goHome(): void {
  history.replaceState(null, '', '#/home');
  route.value = read();
}

/**
 * Writes what a view holds into the address, in the place of what stands there. Where the address is that of another view already, as
 * whoever goes back at once has it before the page hears of it, it stays.
 */
export function writeWords(view: string, words: URLSearchParams): void {
  if (read().view === view) history.replaceState(null, '', words.size === 0 ? `#/${view}` : `#/${view}?${words}`);
}
