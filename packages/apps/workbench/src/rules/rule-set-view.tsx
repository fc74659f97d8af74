import { effect, signal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { BookImpact } from '../book/book-impact.tsx';
import { FileButton } from '../design/file-button.tsx';
import { ServedVersions } from '../evaluate/choose-version.tsx';
import { cases, fileName, readRuleSetFile, saved, text } from '../evaluate/edited-text.ts';
import { ensureRuleSets } from '../evaluate/rule-sets.ts';
import { homeForm } from '../home/home-state.ts';
import { proposingNeeds } from '../registry/rights.ts';
import { download } from '../service/download.ts';
import { visit } from '../service/session.ts';
import { startWorker } from '../service/start-worker.ts';
import { addRule, duplicateRule, removeRule, swapRules } from './edit-rules.ts';
import type { Editor } from './editor.ts';
import { FindingList } from './finding-list.tsx';
import { type KeptAnswer, keepResults, type Stale } from './keep-results.ts';
import { hideEditor, showEditor } from './kept-editor.ts';
import { ProposeVersion } from './propose-version.tsx';
import { Result } from './result.tsx';
import { type RuleAction, RuleTable } from './rule-table.tsx';
import type { NewRuleSet, RulesAnswer, RulesQuestion, TestedCases, Vocabulary } from './rules-messages.ts';
import type { WriteOver } from './table-cells.tsx';

const words = signal<Vocabulary | undefined>(undefined);
const answer = signal<KeptAnswer | undefined>(undefined);
const comparedText = signal('');
const refusal = signal<string | undefined>(undefined);

// The next user must not see these results.
effect(() => {
  void visit.value;
  answer.value = refusal.value = undefined;
});

const SETTLE_MS = 30;

/** Edits a rule set as text: faults, findings with example homes, and changes before saving. */
export function RuleSetView() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const worker = useRef<Worker | undefined>(undefined);
  const answeredText = useRef<string | undefined>(undefined);
  const askAgain = useRef<(() => void) | undefined>(undefined);
  useEffect(ensureRuleSets, []);
  // Before a fast user can choose a version to open.
  useLayoutEffect(() => {
    const running = startWorker('rules');
    worker.current = running;
    let number = 0;
    let sentText = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const asking = (value: string) => {
      text.value = value;
      clearTimeout(timer);
      timer = setTimeout(() => {
        sentText = value;
        const home = homeForm.request.value;
        const question: RulesQuestion = {
          number: ++number,
          text: value,
          saved: saved.value,
          cases: cases.value?.text,
          home: home['state'] === undefined ? undefined : home,
        };
        running.postMessage(question);
      }, SETTLE_MS);
    };
    running.postMessage({ words: true });
    const opened = showEditor(host.current!, {
      changed: asking,
      opened(file) {
        fileName.value = file.name;
        saved.value = file.saved;
      },
      vocabulary: () => words.value,
    });
    askAgain.current = () => asking(text.value);
    editor.current = opened;
    running.addEventListener('message', ({ data }: MessageEvent<RulesAnswer | NewRuleSet | Vocabulary>) => {
      if ('words' in data) {
        words.value = data;
        return;
      }
      if ('begin' in data) {
        take(data.begin, 'rule-set.json');
        return;
      }
      if (data.number !== number) return;
      answer.value = keepResults(data, answer.value, [
        'findings',
        ...(saved.value === undefined ? [] : (['changes'] as const)),
        ...(cases.value === undefined ? [] : (['tested'] as const)),
        'homeResults',
      ]);
      if (data.changes) comparedText.value = sentText;
      answeredText.current = opened.text() === sentText ? sentText : undefined;
      const marked = [...data.faults, ...(data.findings ?? []).filter(({ allowed }) => allowed === undefined)];
      const end = opened.text().length;
      opened.mark(
        marked.map(({ from, to, message, severity }) => ({
          from: Math.min(from, end),
          // Marks a finding on a whole program at its start.
          to: Math.min(to, end, opened.text().indexOf('\n', from) < 0 ? end : opened.text().indexOf('\n', from)),
          message,
          severity: severity === 'fault' ? 'error' : severity === 'warning' ? 'warning' : 'info',
        })),
      );
    });
    if (text.value !== '') asking(text.value);
    return () => {
      clearTimeout(timer);
      hideEditor();
      running.terminate();
    };
  }, []);

  const take = (value: string, name: string) => {
    answer.value = undefined;
    editor.current?.open(value, { name, saved: value });
  };
  const openFile = async (file: File | undefined) => {
    if (file === undefined) return;
    const result = await readRuleSetFile(file);
    refusal.value = result.refusal;
    if (result.version) take(result.version.text, result.version.name);
  };
  const openCases = async (file: File | undefined) => {
    const result = file && (await readRuleSetFile(file, 'cases have'));
    refusal.value = result?.refusal;
    if (!result?.version) return;
    cases.value = result.version;
    askAgain.current?.();
  };
  const markSaved = () => editor.current?.save({ name: fileName.value, saved: text.value });
  const save = () => {
    download(new Blob([text.value], { type: 'application/json' }), fileName.value.replace(/(\.json)?$/i, '.json'));
    markSaved();
  };
  const latest = answer.value;
  const show = (from: number, to: number) => editor.current?.show(from, to);
  const write: WriteOver = ([from, to], value) => {
    // Ranges belong to the answered text; the next answer moves them.
    if (answeredText.current !== editor.current?.text()) return false;
    editor.current?.replace(from, to, JSON.stringify(value));
    return true;
  };
  const act = (action: RuleAction, place: number) => {
    const rows = answer.value?.table ?? [];
    const row = rows[place]!;
    const value = text.value;
    const edits = {
      add: () => addRule(value, rows, row),
      duplicate: () => duplicateRule(value, rows, row),
      up: () => swapRules(value, rows[place - 1]!, row),
      down: () => swapRules(value, row, rows[place + 1]!),
      delete: () => removeRule(value, row),
    };
    const { from, to, insert } = edits[action]();
    editor.current?.replace(from, to, insert);
  };
  const isChanged = saved.value !== undefined && saved.value !== text.value;
  return (
    <>
      <div class="row between">
        <h1>Rule set</h1>
        <div class="row no-print">
          <FileButton id="rules-file" label="Open a file" open={(file) => void openFile(file)} />
          <FileButton id="rules-cases-file" label="Open cases" open={(file) => void openCases(file)} />
          <ServedVersions
            id="rules-served"
            label="Version in force"
            choose={({ name, text: chosenText }) => take(chosenText, `${name}.json`)}
          />
          <button type="button" onClick={() => worker.current?.postMessage({ begin: true })}>
            New rule set
          </button>
          <button type="button" id="rules-save" disabled={text.value === ''} onClick={save}>
            Save a copy
          </button>
        </div>
      </div>
      {proposingNeeds() && <p class="notice">You can edit, compare and save a copy. {proposingNeeds()}</p>}
      {refusal.value && (
        <p class="notice bad" role="alert">
          {refusal.value}
        </p>
      )}
      <div class="rules">
        <div class="panel editor" ref={host} />
        <div class="stack" aria-live="polite">
          <section class="panel stack-tight" aria-labelledby="rules-state">
            <h2 id="rules-state">{latest?.name ?? fileName.value}</h2>
            {!latest && (
              <p class="soft">
                Open a version in force or a file, or start a new rule set. Your edits stay in this page until you
                propose them.
              </p>
            )}
            {latest && latest.faults.length > 0 && (
              <>
                <p>
                  <span class="status status-ineligible">
                    <span aria-hidden="true">✕</span>
                    {count(latest.faults.length, 'fault')}
                  </span>
                </p>
                <FindingList findings={latest.faults} show={show} />
              </>
            )}
            {latest && latest.faults.length === 0 && (
              <p>
                <span class="status status-eligible">
                  <span aria-hidden="true">✓</span>Valid
                </span>{' '}
                {count(latest.rules ?? 0, 'rule')}
              </p>
            )}
          </section>
          {isChanged && (
            <Result id="rules-changes" title="Effects of this edit" stale={latest?.stale?.changes}>
              {!latest?.changes && (
                <p class="soft">
                  {latest && latest.faults.length > 0
                    ? 'Fix the errors to see what this edit changes.'
                    : 'Comparing with the saved text …'}
                </p>
              )}
              {latest?.changes?.length === 0 && <p class="soft">No home gets a different answer.</p>}
              {latest?.changes && <FindingList findings={latest.changes} show={show} />}
              {latest?.changes && <BookImpact older={saved.value!} newer={comparedText.value} />}
            </Result>
          )}
          {latest?.identity && (
            <ProposeVersion
              identity={latest.identity}
              openedVersion={isChanged ? versionOf(saved.value!) : undefined}
              mistakes={
                latest.findings?.filter(({ severity, allowed }) => severity !== 'note' && allowed === undefined).length
              }
              isCurrent={answeredText.current === text.value}
              textWith={(version) => {
                const { text: before, at } = latest.identity!.version;
                if (at && version !== before) editor.current?.replace(...at, JSON.stringify(version));
                return text.value;
              }}
              proposed={markSaved}
            />
          )}
          {latest?.tested && <CaseList tested={latest.tested} stale={latest.stale?.tested} />}
          {latest?.findings && (
            <Result id="rules-findings" title="Findings" stale={latest.stale?.findings}>
              {latest.findings.length === 0 ? (
                <p class="soft">No likely mistakes.</p>
              ) : (
                <FindingList findings={latest.findings} show={show} />
              )}
            </Result>
          )}
        </div>
      </div>
      {latest?.table && latest.table.length > 0 && (
        <RuleTable
          rows={latest.table}
          all={latest.rules ?? 0}
          codes={words.value?.words.code.map(({ name }) => name) ?? []}
          tested={latest.tested}
          homeResults={latest.homeResults}
          isCurrent={answeredText.current === text.value}
          show={show}
          write={write}
          act={act}
          undo={() => editor.current?.undo()}
        />
      )}
    </>
  );
}

function versionOf(value: string): string | undefined {
  try {
    return String((JSON.parse(value) as { readonly version?: unknown }).version);
  } catch {
    return undefined;
  }
}

const count = (number: number, noun: string) => `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

function CaseList({ tested, stale }: { readonly tested: TestedCases; readonly stale: Stale | undefined }) {
  const failing = tested.cases.filter(({ failures }) => failures.length > 0);
  return (
    <Result id="rules-cases" title="Cases" stale={stale}>
      {tested.faults.map((message) => (
        <p class="notice bad" key={message}>
          {message}
        </p>
      ))}
      <p>
        <span class={`status status-${failing.length === 0 ? 'eligible' : 'ineligible'}`}>
          <span aria-hidden="true">{failing.length === 0 ? '✓' : '✕'}</span>
          {tested.cases.length - failing.length} of {tested.cases.length} pass
        </span>
      </p>
      <ul class="findings">
        {failing.map(({ note, failures }) => (
          <li key={note}>
            {failures.map((message) => (
              <p key={message}>{message}</p>
            ))}
          </li>
        ))}
      </ul>
      <details class="small">
        <summary>All cases</summary>
        <ul class="stack-tight">
          {tested.cases.map(({ note, expected, came, failures }) => (
            <li key={note}>
              <span aria-hidden="true">{failures.length === 0 ? '✓' : '✕'}</span>
              <span class="only-heard">{failures.length === 0 ? 'Passes' : 'Fails'}:</span> {note}:{' '}
              {came.replace('_', ' ')}
              {came !== expected && `, expected ${expected.replace('_', ' ')}`}
            </li>
          ))}
        </ul>
      </details>
    </Result>
  );
}
