import { closeSearchPanel, findNext, findPrevious, openSearchPanel } from '@codemirror/search';
import type { KeyBinding } from '@codemirror/view';

const scope = 'editor search-panel';

/**
 * Keys that find and replace in a text. Commands of the library without a button in the panel are left out, and so is
 * their code.
 */
export const searchKeys: readonly KeyBinding[] = [
  { key: 'Mod-f', run: openSearchPanel, scope },
  { key: 'F3', run: findNext, shift: findPrevious, scope, preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, scope, preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope },
];
