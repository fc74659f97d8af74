import { signal } from '@preact/signals';

/** The view and its parameters: `#/home?state=fl` is the view `home` with `state`. */
export interface Route {
  readonly view: string;
  readonly words: URLSearchParams;
}

/** The part of the address that `route` was read from, or that was written last. */
let lastHash = '';

function read(): Route {
  lastHash = location.hash;
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
 * Replaces the words of a view in the address. An address that changed since it was read stays, as its event is still to come: a
 * link that was just opened, or the view before.
 */
export function writeWords(view: string, words: URLSearchParams): void {
  if (location.hash !== lastHash || read().view !== view) return;
  history.replaceState(null, '', words.size === 0 ? `#/${view}` : `#/${view}?${words}`);
  lastHash = location.hash;
}
