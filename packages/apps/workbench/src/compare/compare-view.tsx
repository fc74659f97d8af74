import { effect, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { ChooseVersion } from '../evaluate/choose-version.tsx';
import type { Version } from '../evaluate/edited-text.ts';
import { ensureRuleSets } from '../evaluate/rule-sets.ts';
import { mayDiscard, noteUnsaved } from '../evaluate/unsaved-edits.ts';
import { FindingList } from '../rules/finding-list.tsx';
import type { RulesAnswer, RulesQuestion } from '../rules/rules-messages.ts';
import { download } from '../service/download.ts';
import { visit } from '../service/session.ts';
import { startWorker } from '../service/start-worker.ts';
import { type MergeEditor, openMerge } from './merge-editor.ts';

/** Outlive the view, with the edits. */
const older = signal<Version | undefined>(undefined);
/** As chosen or saved last. */
const savedNewer = signal<string | undefined>(undefined);
const newer = signal<Version | undefined>(undefined);
const answer = signal<RulesAnswer | undefined>(undefined);
const differences = signal(0);

const SETTLE_MS = 60;

export function CompareView() {
  useEffect(ensureRuleSets, []);
  const both = older.value !== undefined && newer.value !== undefined;
  return (
    <>
      <h1>Compare versions</h1>
      <div class="pair">
        <ChooseVersion
          id="compare-older"
          title="Older"
          version={older.value}
          choose={(version) => begin(version, newer.value)}
        />
        <ChooseVersion
          id="compare-newer"
          title="Newer"
          version={newer.value}
          choose={(version) => mayDiscard('compare') && begin(older.value, version, version)}
        />
      </div>
      {both ? (
        <Compared key={`${turn.value}`} older={older.value!} newer={newer.value!} />
      ) : (
        <p class="panel soft">Choose two versions: files, your current edit under Rule set, or versions in force.</p>
      )}
    </>
  );
}

/** Increases with each pair, so that both texts are opened anew. */
const turn = signal(0);

function begin(first: Version | undefined, second: Version | undefined, chosen?: Version): void {
  older.value = first;
  newer.value = second;
  if (chosen) savedNewer.value = chosen.text;
  answer.value = undefined;
  turn.value += 1;
}

function Compared({ older: first, newer: second }: { readonly older: Version; readonly newer: Version }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<MergeEditor | undefined>(undefined);
  useEffect(() => {
    const worker = startWorker('rules');
    let number = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = (text: string) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        worker.postMessage({ number: ++number, text, saved: first.text } satisfies RulesQuestion);
      }, SETTLE_MS);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<RulesAnswer>) => {
      if (data.number === number) answer.value = data;
    });
    const opened = openMerge(host.current!, { older: first.text, newer: second.text }, (text, count) => {
      newer.value = { name: second.name, text };
      differences.value = count;
      ask(text);
    });
    editor.current = opened;
    differences.value = opened.count();
    ask(second.text);
    return () => {
      clearTimeout(timer);
      opened.close();
      worker.terminate();
    };
  }, []);
  const result = answer.value;
  const show = (from: number, to: number) => editor.current?.show(from, to);
  return (
    <>
      <div class="row between no-print">
        <p role="status">
          {differences.value === 0
            ? 'Both texts are the same.'
            : `${count(differences.value, 'place differs', 'places differ')}.`}
        </p>
        <span class="row">
          <button type="button" disabled={differences.value === 0} onClick={() => editor.current?.step('previous')}>
            Previous
          </button>
          <button
            id="compare-next"
            type="button"
            disabled={differences.value === 0}
            onClick={() => editor.current?.step('next')}
          >
            Next
          </button>
          <button type="button" disabled={differences.value === 0} onClick={() => editor.current?.takeOlder()}>
            Restore this part
          </button>
          <button
            type="button"
            onClick={() => {
              const { text } = newer.value!;
              download(new Blob([text], { type: 'application/json' }), 'rule-set.json');
              savedNewer.value = text;
            }}
          >
            Save the newer
          </button>
        </span>
      </div>
      <div class="panel merge" ref={host} />
      <section class="panel stack-tight" aria-labelledby="compare-changes">
        <h2 id="compare-changes">Homes with a different answer</h2>
        {!result && <p class="soft">Comparing …</p>}
        {result && result.faults.length > 0 && (
          <>
            <p class="notice bad">The newer text is not a valid rule set.</p>
            <FindingList findings={result.faults} show={show} />
          </>
        )}
        {result?.findings && result.changes === undefined && result.isOlderUnread && (
          <p class="notice bad">The older text is not a valid rule set, so homes cannot be compared.</p>
        )}
        {result?.changes?.length === 0 && <p class="soft">No home gets a different answer.</p>}
        {result?.changes && result.changes.length > 0 && (
          <>
            <p>{count(result.changes.length, 'change', 'changes')}, each with a home that shows it.</p>
            <FindingList findings={result.changes} show={show} />
          </>
        )}
      </section>
    </>
  );
}

const count = (number: number, one: string, many: string) =>
  `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;

// The next user must not see these versions.
effect(() => {
  void visit.value;
  older.value = newer.value = answer.value = savedNewer.value = undefined;
});
effect(() => {
  const { name, text } = newer.value ?? {};
  noteUnsaved('compare', text === savedNewer.value ? undefined : name);
});
