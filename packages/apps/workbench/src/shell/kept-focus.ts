const PARTS = 'section, article, form, [role="group"], main';

/**
 * Keeps the keyboard where one was. Where what has the focus goes away, or can be used no longer, the part of the page that it was in
 * has it; where that goes too, the next one out. Ends when the function that it gives is called.
 */
export function keepFocus(page: HTMLElement): () => void {
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
    // Only as long as it has the focus: a part is no stop of the Tab key.
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
