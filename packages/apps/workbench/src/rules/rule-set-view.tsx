import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { BookImpact } from '../book/book-impact.tsx';
import { FileButton } from '../design/file-button.tsx';
import { ServedVersions } from '../evaluate/choose-version.tsx';
import { cases, editVersion, fileName, readRuleSetFile, saved, text, undoHistory } from '../evaluate/edited-text.ts';
import { ensureRuleSets } from '../evaluate/rule-sets.ts';
import { mayDiscard } from '../evaluate/unsaved-edits.ts';
import { download } from '../service/download.ts';
import { startWorker } from '../service/start-worker.ts';
import { type Editor, openEditor } from './editor.ts';
import { FindingList } from './finding-list.tsx';
import { type KeptAnswer, keepResults, type Stale } from './keep-results.ts';
import { Result } from './result.tsx';
import { RuleTable, type WriteOver } from './rule-table.tsx';
import type { NewRuleSet, RulesAnswer, RulesQuestion, TestedCases, Vocabulary } from './rules-messages.ts';

const answer = signal<KeptAnswer | undefined>(undefined);
const comparedText = signal('');
const refusal = signal<string | undefined>(undefined);

const SETTLE_MS = 30;

/** Edits a rule set as text: faults, findings with example homes, and changes before saving. */
export function RuleSetView() {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | undefined>(undefined);
  const worker = useRef<Worker | undefined>(undefined);
  const answeredText = useRef<string | undefined>(undefined);
  const textAtBegin = useRef<string | undefined>(undefined);
  const askAgain = useRef<(() => void) | undefined>(undefined);
  useEffect(ensureRuleSets, []);
  useEffect(() => {
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
        const question: RulesQuestion = { number: ++number, text: value, saved: saved.value, cases: cases.value?.text };
        running.postMessage(question);
      }, SETTLE_MS);
    };
    let words: Vocabulary | undefined;
    running.postMessage({ words: true });
    const opened = openEditor(host.current!, 'Rule set', asking, () => words);
    askAgain.current = () => asking(text.value);
    editor.current = opened;
    running.addEventListener('message', ({ data }: MessageEvent<RulesAnswer | NewRuleSet | Vocabulary>) => {
      if ('words' in data) {
        words = data;
        return;
      }
      if ('begin' in data) {
        // The user may have typed since the click.
        if (textAtBegin.current === text.value || mayDiscard('rules')) take(data.begin, 'rule-set.json');
        return;
      }
      if (data.number !== number) return;
      answer.value = keepResults(data, answer.value, [
        'findings',
        ...(saved.value === undefined ? [] : (['changes'] as const)),
        ...(cases.value === undefined ? [] : (['tested'] as const)),
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
    if (text.value !== '') opened.open(text.value, undoHistory.value);
    return () => {
      clearTimeout(timer);
      if (text.value !== '' && text.value === opened.text()) undoHistory.value = opened.undoHistory();
      opened.close();
      running.terminate();
    };
  }, []);

  const take = (value: string, name: string) => {
    editVersion({ name, text: value });
    answer.value = undefined;
    editor.current?.open(value);
  };
  const openFile = async (file: File | undefined) => {
    if (file === undefined || !mayDiscard('rules')) return;
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
  const begin = () => {
    if (!mayDiscard('rules')) return;
    textAtBegin.current = text.value;
    worker.current?.postMessage({ begin: true });
  };
  const latest = answer.value;
  const show = (from: number, to: number) => editor.current?.show(from, to);
  const write: WriteOver = ([from, to], value) => {
    // Ranges belong to the answered text; the next answer moves them.
    if (answeredText.current !== editor.current?.text()) return false;
    editor.current?.replace(from, to, JSON.stringify(value));
    return true;
  };
  const isChanged = saved.value !== undefined && saved.value !== text.value;
  return (
    <>
      <div class="row between">
        <h1>Rule set</h1>
        <div class="row no-print">
          <FileButton id="rules-file" label="Open a file" open={(file) => void openFile(file)} />
          <FileButton id="rules-cases-file" label="Open its cases" open={(file) => void openCases(file)} />
          <ServedVersions
            id="rules-served"
            label="Open one that is in force"
            choose={({ name, text: chosenText }) => mayDiscard('rules') && take(chosenText, `${name}.json`)}
          />
          <button type="button" onClick={begin}>
            Begin a new one
          </button>
          <button type="button" id="rules-save" disabled={text.value === ''} onClick={() => save(text.value)}>
            Save a copy
          </button>
        </div>
      </div>
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
            {!latest && <p class="soft">Open a rule set from disk, or begin a new one. It stays in this page.</p>}
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
              {latest?.changes?.length === 0 && <p class="soft">No home changes sides.</p>}
              {latest?.changes && <FindingList findings={latest.changes} show={show} />}
              {latest?.changes && <BookImpact older={saved.value!} newer={comparedText.value} />}
            </Result>
          )}
          {latest?.tested && <CaseList tested={latest.tested} stale={latest.stale?.tested} />}
          {latest?.findings && (
            <Result id="rules-findings" title="Findings" stale={latest.stale?.findings}>
              {latest.findings.length === 0 ? (
                <p class="soft">Nothing odd was found.</p>
              ) : (
                <FindingList findings={latest.findings} show={show} />
              )}
            </Result>
          )}
        </div>
      </div>
      {latest?.table && latest.table.length > 0 && (
        <RuleTable rows={latest.table} all={latest.rules ?? 0} tested={latest.tested} show={show} write={write} />
      )}
    </>
  );
}

/** Downloads the text, which counts as saved from now on. */
function save(value: string): void {
  download(new Blob([value], { type: 'application/json' }), fileName.value);
  saved.value = value;
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
