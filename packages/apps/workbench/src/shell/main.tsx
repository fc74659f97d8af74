import { render } from 'preact';
import { followAddress } from '../address/route.ts';
import { takeProviderAnswer } from '../service/provider-sign-in.ts';
import { takeSessionFromAddress } from '../service/session.ts';
import { Shell } from './shell.tsx';

import '../design/tokens.css';
import '../design/base.css';
import '../design/shell.css';
import '../design/bars.css';
import '../appetite/appetite.css';
import '../book/book.css';
import '../compare/compare.css';
import '../home/home.css';
import '../map/shore-map.css';
import '../quotes/quotes.css';
import '../rules/rules.css';
import '../sign-off/sign-off.css';

const PARTS = 'section, article, form, [role="group"], main';

/** If the focused element is removed or disabled, focuses the nearest enclosing part that still exists. The returned function stops it. */
function keepFocus(page: HTMLElement): () => void {
  let focused: HTMLElement | undefined;
  let parts: HTMLElement[] = [];
  const follow = ({ target }: FocusEvent) => {
    focused = target as HTMLElement;
    parts = [];
    for (let part = focused.parentElement?.closest<HTMLElement>(PARTS); part; ) {
      parts.push(part);
      part = part.parentElement?.closest<HTMLElement>(PARTS);
    }
  };
  const look = () => {
    const isLost = focused !== undefined && (!focused.isConnected || focused.matches(':disabled'));
    const { activeElement } = document;
    if (!isLost || (activeElement !== document.body && activeElement !== focused)) return;
    const part = parts.find(({ isConnected }) => isConnected);
    if (part === undefined) return;
    // Focusable only while it has the focus: a part is not a tab stop.
    if (!part.hasAttribute('tabindex')) {
      part.tabIndex = -1;
      part.addEventListener('blur', () => part.removeAttribute('tabindex'), { once: true });
    }
    part.focus({ preventScroll: true });
  };
  const watch = new MutationObserver(look);
  watch.observe(page, { subtree: true, childList: true, attributes: true, attributeFilter: ['disabled'] });
  page.addEventListener('focusin', follow);
  return () => {
    watch.disconnect();
    page.removeEventListener('focusin', follow);
  };
}

takeProviderAnswer();
takeSessionFromAddress();
// Register before `followAddress`, because tokens are not a view.
addEventListener('hashchange', takeSessionFromAddress);
followAddress();
const page = document.getElementById('page')!;
page.textContent = '';
render(<Shell />, page);
keepFocus(page);
