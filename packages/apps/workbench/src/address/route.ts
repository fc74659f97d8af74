import { signal } from '@preact/signals';

/** `#/home?state=fl` is the view `home` with `state`. */
export interface Route {
  readonly view: string;
  readonly words: URLSearchParams;
}

/** The address as last read or written. */
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

export function goHome(): void {
  history.replaceState(null, '', '#/home');
  route.value = read();
}

/** Replaces the parameters of a view. An address that changed since it was read stays, because its event is pending. */
export function writeWords(view: string, words: URLSearchParams): void {
  if (location.hash !== lastHash || read().view !== view) return;
  history.replaceState(null, '', words.size === 0 ? `#/${view}` : `#/${view}?${words}`);
  lastHash = location.hash;
}
