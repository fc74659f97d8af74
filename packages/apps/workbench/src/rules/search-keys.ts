import { closeSearchPanel, findNext, findPrevious, openSearchPanel } from '@codemirror/search';
import type { KeyBinding } from '@codemirror/view';

const scope = 'editor search-panel';

/** Keys of find and replace. Omits commands without a button, and with them their code. */
export const searchKeys: readonly KeyBinding[] = [
  { key: 'Mod-f', run: openSearchPanel, scope },
  { key: 'F3', run: findNext, shift: findPrevious, scope, preventDefault: true },
  { key: 'Mod-g', run: findNext, shift: findPrevious, scope, preventDefault: true },
  { key: 'Escape', run: closeSearchPanel, scope },
];
