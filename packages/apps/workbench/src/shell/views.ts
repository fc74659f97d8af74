import type { ComponentType } from 'preact';
import { Home } from '../home/home.tsx';

/** In the order of the navigation. All but the first load when they are opened. */
export interface View {
  readonly name: string;
  readonly title: string;
  /** True for a view about homes only. */
  readonly isForHomes?: true;
  readonly load: () => Promise<ComponentType> | ComponentType;
}

export const views: readonly View[] = [
  { name: 'home', title: 'Home', load: () => Home },
  {
    name: 'appetite',
    title: 'Appetite map',
    isForHomes: true,
    load: async () => (await import('../appetite/appetite-view.tsx')).AppetiteView,
  },
  { name: 'book', title: 'Book', isForHomes: true, load: async () => (await import('../book/book-view.tsx')).BookView },
  { name: 'rules', title: 'Rule set', load: async () => (await import('../rules/rule-set-view.tsx')).RuleSetView },
  { name: 'compare', title: 'Compare', load: async () => (await import('../compare/compare-view.tsx')).CompareView },
  { name: 'quotes', title: 'Quotes', load: async () => (await import('../quotes/quotes-view.tsx')).QuotesView },
  {
    name: 'sign-off',
    title: 'Sign-off',
    load: async () => (await import('../sign-off/sign-off-view.tsx')).SignOffView,
  },
];
