import { signal } from '@preact/signals';
import { FileButton } from '../design/file-button.tsx';
import { CountBars, StatusBars } from '../design/status-bars.tsx';
import type { EvaluatedBook } from '../evaluate/evaluator-messages.ts';
import { RequireRules } from '../evaluate/require-rules.tsx';
import type { WireRuleSets } from '../service/wire.ts';
import { BookMap } from './book-map.tsx';
import { bookState, downloadBook, effectiveDate, evaluateFile, stopBook } from './book-state.ts';
import { OldAgainstNew } from './old-against-new.tsx';

export function BookView() {
  return (
    <>
      <h1>Evaluate a book</h1>
      <RequireRules
        what="Books are evaluated"
        otherwise="Request a token with that scope, or evaluate the file on your machine with leeward book run."
      >
        {(rules) => <Book rules={rules} />}
      </RequireRules>
    </>
  );
}

function Book({ rules }: { readonly rules: WireRuleSets }) {
  const now = bookState.value;
  return (
    <>
      {now.state !== 'evaluating' && <DropZone rules={rules} />}
      {now.state === 'evaluating' && (
        <section class="panel stack-tight" aria-labelledby="book-progress">
          <h2 id="book-progress">Evaluating {now.file.name} …</h2>
          <progress aria-labelledby="book-progress" max={Math.max(1, now.file.size)} value={now.read} />
          <p class="row">
            <span class="soft">{percent(now.read, now.file.size)} read</span>
            <button type="button" onClick={stopBook}>
              Stop
            </button>
          </p>
        </section>
      )}
      {now.state === 'error' && (
        <div class="notice bad stack-tight" role="alert">
          <p>
            <strong>{now.file.name} was not evaluated.</strong> {now.message}
          </p>
          <p>
            <button type="button" onClick={() => void evaluateFile(now.file, rules)}>
              Try again
            </button>
          </p>
        </div>
      )}
      {now.state === 'evaluated' && <BookResults book={now.book} asOf={now.asOf} rules={rules} />}
    </>
  );
}

const isOver = signal(false);

function DropZone({ rules }: { readonly rules: WireRuleSets }) {
  const take = (file: File | undefined) => {
    if (file) void evaluateFile(file, rules);
  };
  return (
    <section
      class={`panel stack-tight drop no-print${isOver.value ? ' over' : ''}`}
      aria-label="A book to evaluate"
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => {
        isOver.value = false;
      }}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        take(event.dataTransfer?.files[0]);
      }}
    >
      <p class="row">
        <FileButton
          id="book-file"
          label="Choose a file"
          accept=".csv,.tsv,.txt,.ndjson,.jsonl,.gz,.parquet"
          isMain
          open={take}
        />
        <span>or drop one here: CSV, NDJSON or Parquet, a policy a row.</span>
        <span class="row date">
          <label for="book-date">Effective date</label>
          <input
            id="book-date"
            type={'date' as 'text'}
            aria-describedby="book-date-hint"
            value={effectiveDate.value}
            onInput={({ currentTarget }) => {
              effectiveDate.value = currentTarget.value;
            }}
          />
          <span id="book-date-hint" class="small soft">
            Left empty: today in each home’s state.
          </span>
        </span>
      </p>
      <p class="small soft">
        The heading names fields as requests do: <code>state</code> and <code>policy_type</code>, then what is known (
        <code>county</code>, <code>year_built</code>, <code>roof_age</code>, <code>dwelling_a</code> …). Columns of your
        own begin with <code>x_</code>. The file stays in this page. It is evaluated for {rules.carriers.length}{' '}
        carriers here and never sent. Appointments do not count, and addresses are not looked up.
      </p>
    </section>
  );
}

interface BookResultsProps {
  readonly book: EvaluatedBook;
  readonly asOf: string;
  readonly rules: WireRuleSets;
}

function BookResults({ book, asOf, rules }: BookResultsProps) {
  const policies = book.rows - book.rejected;
  const none = (book.takers[0] ?? 0) - book.open;
  return (
    <>
      <section class="panel stack-tight" aria-labelledby="book-title">
        <div class="row between">
          <h2 id="book-title">{book.name}</h2>
          <span class="row no-print">
            <button type="button" disabled={policies === 0} onClick={() => void downloadBook('statuses', book.name)}>
              Download statuses
            </button>
            {book.rejected > 0 && (
              <button type="button" onClick={() => void downloadBook('rejects', book.name)}>
                Download rejected rows
              </button>
            )}
            <button type="button" onClick={() => print()}>
              Print
            </button>
            <button type="button" onClick={stopBook}>
              Forget it
            </button>
          </span>
        </div>
        <p role="status">
          <strong>{number(policies)}</strong> {policies === 1 ? 'policy' : 'policies'} evaluated for{' '}
          {book.carriers.length} carriers in {book.seconds.toFixed(1)} s; <strong>{number(book.rejected)}</strong> of{' '}
          {number(book.rows)} rows rejected.
          {policies > 0 && (
            <>
              {' '}
              <strong>{percent(policies - book.open - none, policies)}</strong> have a carrier that takes or refers
              them; {number(book.open)} more could have one once open questions are answered; {number(none)} are without
              one.
            </>
          )}
        </p>
        <p class="small soft">
          As of {asOf.slice(0, 16).replace('T', ' ')} UTC, effective{' '}
          {book.effectiveDates.map(([date]) => date).join(' and ')}.
          {book.warnings.length > 0 &&
            ` Warnings: ${book.warnings.map(([code, count]) => `${code.replaceAll('_', ' ')} ${number(count)}`).join(', ')}.`}
        </p>
        {policies === 0 && <p class="notice">No row could be evaluated. Reasons are listed below.</p>}
      </section>
      {book.rejected > 0 && <Rejected book={book} />}
      {policies > 0 && (
        <>
          <div class="panel">
            <StatusBars
              title="By carrier"
              rows={book.carriers.map(({ key, name, counts }) => ({ key, label: name, counts }))}
            />
          </div>
          <div class="pair">
            <div class="panel">
              <CountBars
                title="Carriers that accept or refer a policy"
                head={['Carriers', 'Policies']}
                rows={takersOf(book)}
              />
            </div>
            <div class="panel">
              {book.reasons.length === 0 ? (
                <p class="soft">Nothing is declined.</p>
              ) : (
                <CountBars
                  title="Why carriers decline"
                  head={['Reason', 'Policies × carriers']}
                  rows={book.reasons.map(([code, count]) => [code.replaceAll('_', ' '), count])}
                />
              )}
            </div>
          </div>
          <BookMap counties={book.counties} />
          <OldAgainstNew rules={rules} />
          <div class="panel">
            <StatusBars
              title="By state"
              rows={book.states.map(([state, counts]) => ({ key: state, label: state.toUpperCase(), counts }))}
            />
          </div>
          <div class="panel">
            <StatusBars
              title="By policy type"
              rows={book.policyTypes.map(([type, counts]) => ({ key: type, label: type.toUpperCase(), counts }))}
            />
          </div>
        </>
      )}
    </>
  );
}

function Rejected({ book }: { readonly book: EvaluatedBook }) {
  return (
    <details class="panel" open={book.rejected === book.rows}>
      <summary>
        <h2 class="in-line">Rejected rows</h2> <span class="soft">{number(book.rejected)}</span>
      </summary>
      <ul class="stack-tight rejected">
        {book.refused.map(({ row, line, messages, text }) => (
          <li key={row}>
            <p>
              <strong>
                Row {number(row)}
                {line !== undefined && `, line ${number(line)}`}
              </strong>
              : {messages.join(' ')}
            </p>
            <pre class="small soft">{text}</pre>
          </li>
        ))}
        {book.rejected > book.refused.length && (
          <li class="soft">
            and {number(book.rejected - book.refused.length)} more: the file of rejected rows has all.
          </li>
        )}
      </ul>
    </details>
  );
}

/** Further carriers share one row. */
const MAX_COUNTED = 7;

function takersOf({ takers, open }: EvaluatedBook): (readonly [string, number])[] {
  const [none = 0, ...some] = takers;
  const many = some.slice(MAX_COUNTED).reduce((sum, count) => sum + count, 0);
  const few = some
    .slice(0, many > 0 ? MAX_COUNTED : some.findLastIndex((count) => count > 0) + 1)
    .map((count, place) => [String(place + 1), count] as const);
  return [
    ['none', none - open],
    ['none yet, some if answered', open],
    ...few,
    ...(many > 0 ? [[`${MAX_COUNTED + 1} or more`, many] as const] : []),
  ];
}

const number = (value: number) => value.toLocaleString('en-US');
const percent = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;
