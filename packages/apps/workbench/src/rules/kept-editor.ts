import { effect } from '@preact/signals';
import { fileName, saved, text } from '../evaluate/edited-text.ts';
import { visit } from '../service/session.ts';
import { type Editor, type EditorListener, openEditor } from './editor.ts';

// One editor a visit: leaving the view keeps its cursor and undo history.
let shared: { readonly host: HTMLElement; readonly editor: Editor } | undefined;
let listener: EditorListener | undefined;

/** Shows the editor in an element, with the edited text. */
export function showEditor(parent: HTMLElement, listening: EditorListener): Editor {
  listener = listening;
  if (shared === undefined) {
    const host = document.createElement('div');
    host.className = 'editor-host';
    const forward: EditorListener = {
      changed: (value) => listener?.changed(value),
      opened: (file) => listener?.opened(file),
      vocabulary: () => listener?.vocabulary(),
    };
    parent.append(host);
    shared = { host, editor: openEditor(host, 'Rule set', forward) };
  } else parent.append(shared.host);
  const { editor } = shared;
  // Opened in another view meanwhile.
  if (editor.text() !== text.value) editor.open(text.value, { name: fileName.value, saved: saved.value });
  return editor;
}

export function hideEditor(): void {
  listener = undefined;
  shared?.host.remove();
}

// The next user must not see this text.
effect(() => {
  void visit.value;
  shared?.editor.close();
  shared = undefined;
});
