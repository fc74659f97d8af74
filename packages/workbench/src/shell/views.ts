import type { ComponentType } from 'preact';
import { Home } from '../home/home.tsx';

/** What the navigation offers, in its order. All but the first load when they are opened. */
export interface View {
  readonly name: string;
  readonly title: string;
  readonly load: () => Promise<ComponentType> | ComponentType;
}

export const views: readonly View[] = [
  { name: 'home', title: 'Home', load: () => Home },
  { name: 'book', title: 'Book', load: async () => (await import('../book/book-view.tsx')).BookView },
  { name: 'rules', title: 'Rule set', load: async () => (await import('../rules/rule-set-view.tsx')).RuleSetView },
];
