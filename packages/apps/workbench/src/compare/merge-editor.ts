import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { goToNextChunk, goToPreviousChunk, MergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { editorLook, editorRoot } from '../rules/editor.ts';
import { searchKeys } from '../rules/search-keys.ts';

/** Two texts side by side; the newer is editable. */
export interface MergeEditor {
  count(): number;
  step(way: 'next' | 'previous'): void;
  /** Restores the older text at the change under the cursor, or the next one. Returns false without one. */
  takeOlder(): boolean;
  show(from: number, to: number): void;
  close(): void;
}

const mergeTheme = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--ineligible-wash)' },
  '&.cm-merge-b .cm-changedLine': { backgroundColor: 'var(--eligible-wash)' },
  '.cm-changedText': { background: 'none !important', textDecoration: 'underline 2px' },
  '.cm-changedLineGutter': { backgroundColor: 'var(--accent) !important' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯" !important' },
  '.cm-collapsedLines': { color: 'var(--ink-soft) !important', background: 'var(--raised) !important' },
});

/** Calls `changed` after every edit, with the number of differences. */
export function openMerge(
  host: HTMLElement,
  { older, newer }: { readonly older: string; readonly newer: string },
  changed: (newer: string, count: number) => void,
): MergeEditor {
  const root = editorRoot(host);
  const keys = keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeys]);
  const view: MergeView = new MergeView({
    a: { doc: older, extensions: [editorLook('Older text'), mergeTheme, keys, EditorState.readOnly.of(true)] },
    b: {
      doc: newer,
      extensions: [
        editorLook('Newer text'),
        mergeTheme,
        keys,
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) changed(state.doc.toString(), view.chunks.length);
        }),
      ],
    },
    parent: root,
    root,
    collapseUnchanged: { margin: 3, minSize: 8 },
  });
  view.dom.style.maxHeight = 'min(65vh, 50rem)';
  view.dom.style.overflow = 'auto';
  view.dom.tabIndex = 0;
  view.dom.setAttribute('role', 'group');
  view.dom.setAttribute('aria-label', 'Both texts');
  return {
    count: () => view.chunks.length,
    step(way) {
      const go = way === 'next' ? goToNextChunk : goToPreviousChunk;
      go(view.b);
      view.b.focus();
    },
    takeOlder() {
      const { head } = view.b.state.selection.main;
      const chunk = view.chunks.find(({ fromB, toB }) => head <= Math.max(fromB, toB - 1)) ?? view.chunks[0];
      if (chunk === undefined) return false;
      const { doc } = view.b.state;
      const isWithin = chunk.fromA !== chunk.toA && chunk.toB <= doc.length;
      const insert = view.a.state.sliceDoc(chunk.fromA, Math.max(chunk.fromA, chunk.toA - 1)) + (isWithin ? '\n' : '');
      view.b.dispatch({
        changes: { from: chunk.fromB, to: Math.min(doc.length, chunk.toB), insert },
        selection: { anchor: chunk.fromB },
        scrollIntoView: true,
      });
      return true;
    },
    show(from, to) {
      const end = view.b.state.doc.length;
      view.b.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      view.b.focus();
    },
    close: () => view.destroy(),
  };
}
