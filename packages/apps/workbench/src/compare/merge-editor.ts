import { defaultKeymap, historyKeymap } from '@codemirror/commands';
import { getChunks, goToNextChunk, goToPreviousChunk, MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension, Text } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { editorLook, editorRoot } from '../rules/editor.ts';
import { searchKeys } from '../rules/search-keys.ts';

/** Two texts: side by side, or on a narrow screen in one column. The newer is editable. */
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

/** Minimum width of two columns, in px. */
const MIN_WIDTH_OF_PAIR = 640;

interface Texts {
  readonly older: string;
  readonly newer: string;
}

/** Calls `changed` after every edit, with the number of differences. */
export function openMerge(
  host: HTMLElement,
  { older, newer }: Texts,
  changed: (newer: string, count: number) => void,
): MergeEditor {
  const keys = keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeys]);
  const report = EditorView.updateListener.of(({ docChanged, state }) => {
    if (docChanged) changed(state.doc.toString(), chunksOf(state).length);
  });
  const own = [editorLook('Newer text'), mergeTheme, keys, report];
  const open = host.clientWidth < MIN_WIDTH_OF_PAIR ? openUnified : openPair;
  const { view, frame, close } = open(host, { older, newer }, own, keys);
  frame.style.maxHeight = 'min(65vh, 50rem)';
  frame.style.overflow = 'auto';
  frame.tabIndex = 0;
  frame.setAttribute('role', 'group');
  frame.setAttribute('aria-label', 'Both texts');
  const original = Text.of(older.split(/\r\n?|\n/));
  return {
    count: () => chunksOf(view.state).length,
    step(way) {
      const go = way === 'next' ? goToNextChunk : goToPreviousChunk;
      go(view);
      view.focus();
    },
    takeOlder() {
      const { doc, selection } = view.state;
      const { head } = selection.main;
      const chunks = chunksOf(view.state);
      const chunk = chunks.find(({ fromB, toB }) => head <= Math.max(fromB, toB - 1)) ?? chunks[0];
      if (chunk === undefined) return false;
      const isWithin = chunk.fromA !== chunk.toA && chunk.toB <= doc.length;
      const text = original.sliceString(chunk.fromA, Math.max(chunk.fromA, chunk.toA - 1));
      view.dispatch({
        changes: { from: chunk.fromB, to: Math.min(doc.length, chunk.toB), insert: text + (isWithin ? '\n' : '') },
        selection: { anchor: chunk.fromB },
        scrollIntoView: true,
      });
      return true;
    },
    show(from, to) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      view.focus();
    },
    close,
  };
}

const chunksOf = (state: EditorState) => getChunks(state)?.chunks ?? [];

const collapseUnchanged = { margin: 3, minSize: 8 };

interface OpenedTexts {
  /** The newer text. */
  readonly view: EditorView;
  readonly frame: HTMLElement;
  readonly close: () => void;
}

function openPair(host: HTMLElement, { older, newer }: Texts, own: Extension, keys: Extension): OpenedTexts {
  const root = editorRoot(host);
  const pair = new MergeView({
    a: { doc: older, extensions: [editorLook('Older text'), mergeTheme, keys, EditorState.readOnly.of(true)] },
    b: { doc: newer, extensions: own },
    parent: root,
    root,
    collapseUnchanged,
  });
  return { view: pair.b, frame: pair.dom, close: () => pair.destroy() };
}

/** Shows deleted lines above the lines that replace them. */
function openUnified(host: HTMLElement, { older, newer }: Texts, own: Extension): OpenedTexts {
  const root = editorRoot(host);
  const merge = unifiedMergeView({ original: older, mergeControls: false, collapseUnchanged });
  const frame = document.createElement('div');
  root.append(frame);
  const view = new EditorView({ doc: newer, extensions: [own, merge], parent: frame, root });
  return {
    view,
    frame,
    close() {
      view.destroy();
      frame.remove();
    },
  };
}
