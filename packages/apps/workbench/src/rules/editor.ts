import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, invertedEffects, isolateHistory, undo } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { bracketMatching, foldGutter, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, StateEffect, StateField, Transaction } from '@codemirror/state';
import { EditorView, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { Vocabulary, Word } from './rules-messages.ts';
import { searchKeys } from './search-keys.ts';

/** The file of a text: its name, and its contents as opened or saved last. */
export interface OpenedFile {
  readonly name: string;
  readonly saved: string | undefined;
}

export interface EditorListener {
  changed(text: string): void;
  /** Called when a file is opened, or undoing returns to an earlier one. */
  opened(file: OpenedFile): void;
  vocabulary(): Vocabulary | undefined;
}

export interface Editor {
  readonly text: () => string;
  /** Replaces the text and its file in one step, which can be undone. */
  open(text: string, file: OpenedFile): void;
  /** Marks the text as saved. */
  save(file: OpenedFile): void;
  mark(diagnostics: readonly Diagnostic[]): void;
  /** Overwrites a range, in one step to undo; the cursor stays elsewhere. */
  replace(from: number, to: number, insert: string): void;
  undo(): void;
  /** Selects a range and shows it. */
  show(from: number, to: number): void;
  close(): void;
}

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--eligible)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--needs_information)' },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', height: '100%', fontSize: '0.875rem' },
  '.cm-content': { fontFamily: 'var(--mono)', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--ink-soft)', border: '0' },
  '.cm-activeLine': { backgroundColor: 'transparent', boxShadow: 'inset 2px 0 0 var(--accent)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { backgroundColor: 'var(--accent-wash) !important' },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
  },
  '.cm-foldPlaceholder': { backgroundColor: 'var(--raised)', color: 'var(--ink-soft)' },
  '&.cm-focused': { outline: '3px solid var(--focus)', outlineOffset: '-3px' },
});

export const editorLook = (label: string): Extension[] => [
  lineNumbers(),
  history(),
  bracketMatching(),
  highlightActiveLine(),
  json(),
  syntaxHighlighting(colours),
  theme,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
];

/** In a shadow root, styles are adopted style sheets, which the page’s policy allows. */
export function editorRoot(host: HTMLElement): ShadowRoot {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.replaceChildren();
  return root;
}

const setFile = StateEffect.define<OpenedFile>();
const noFile: OpenedFile = { name: 'rule-set.json', saved: undefined };
const fileField = StateField.define<OpenedFile>({
  create: () => noFile,
  update: (file, { effects }) => effects.reduce((now, effect) => (effect.is(setFile) ? effect.value : now), file),
});
/** Undoing an opening brings back the file of the earlier text. */
const undoesFile = invertedEffects.of(({ effects, startState }) =>
  effects.some((effect) => effect.is(setFile)) ? [setFile.of(startState.field(fileField))] : [],
);

/** Tab leaves the editor. */
export function openEditor(host: HTMLElement, label: string, listener: EditorListener): Editor {
  const root = editorRoot(host);
  const vocabulary = () => listener.vocabulary();
  const extensions = [
    editorLook(label),
    fileField,
    undoesFile,
    foldGutter(),
    lintGutter(),
    autocompletion({ override: [completeWords(vocabulary)] }),
    hoverWords(vocabulary),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeys, ...lintKeymap, ...completionKeymap]),
    EditorView.updateListener.of(({ docChanged, startState, state }) => {
      const file = state.field(fileField);
      if (file !== startState.field(fileField)) listener.opened(file);
      if (docChanged) listener.changed(state.doc.toString());
    }),
  ];
  const view = new EditorView({ state: EditorState.create({ extensions }), parent: root, root });
  return {
    text: () => view.state.doc.toString(),
    open(text, file) {
      const { length } = view.state.doc;
      view.dispatch({
        changes: { from: 0, to: length, insert: text },
        selection: { anchor: 0 },
        effects: setFile.of(file),
        annotations: [isolateHistory.of('full'), Transaction.addToHistory.of(length > 0)],
        scrollIntoView: true,
      });
    },
    save: (file) => view.dispatch({ effects: setFile.of(file), annotations: Transaction.addToHistory.of(false) }),
    mark: (diagnostics) => view.dispatch(setDiagnostics(view.state, [...diagnostics])),
    undo: () => void undo(view),
    replace: (from, to, insert) =>
      view.dispatch({ changes: { from, to, insert }, annotations: isolateHistory.of('full') }),
    show(from, to) {
      const end = view.state.doc.length;
      view.dispatch({ selection: { anchor: Math.min(from, end), head: Math.min(to, end) }, scrollIntoView: true });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

/** A key with words of the vocabulary, and the typed part of one. */
const VALUE = /"(fact|operator|outcome|code)"\s*:\s*"([\w:.]*)$/;
const WHOLE = /"(fact|operator|outcome|code)"\s*:\s*"([\w:.]*)"/g;

/** Completes facts, operators, outcomes and codes. */
const completeWords =
  (vocabulary: () => Vocabulary | undefined) =>
  ({ state, pos }: CompletionContext): CompletionResult | null => {
    const line = state.doc.lineAt(pos);
    const match = VALUE.exec(line.text.slice(0, pos - line.from));
    const words = match && vocabulary()?.words[match[1] as keyof Vocabulary['words']];
    if (!match || !words) return null;
    return {
      from: pos - match[2]!.length,
      options: words.map(({ name, meaning }) => ({ label: name, detail: meaning.slice(0, 80) })),
      validFor: /^[\w:.]*$/,
    };
  };

const hoverWords = (vocabulary: () => Vocabulary | undefined) =>
  hoverTooltip((view, pos) => {
    const line = view.state.doc.lineAt(pos);
    for (const match of line.text.matchAll(WHOLE)) {
      const from = line.from + match.index;
      const to = from + match[0].length;
      if (pos < from || pos > to) continue;
      const word: Word | undefined = vocabulary()?.words[match[1] as keyof Vocabulary['words']].find(
        ({ name }) => name === match[2],
      );
      if (!word?.meaning) return null;
      return {
        pos: from,
        end: to,
        create() {
          const dom = document.createElement('p');
          dom.textContent = `${word.name}: ${word.meaning}`;
          dom.style.maxWidth = '28rem';
          dom.style.margin = '0';
          dom.style.padding = '0.5rem';
          return { dom };
        },
      };
    }
    return null;
  });
