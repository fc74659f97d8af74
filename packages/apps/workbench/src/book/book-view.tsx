import { wordOf, writeWord } from '@leeward/terms/words';
import { signal } from '@preact/signals';
import { dateInput } from '../design/date-input.ts';
import { FileButton } from '../design/file-button.tsx';
import { CountBars, StatusBars } from '../design/status-bars.tsx';
import type { EvaluatedBook, PolicySelection } from '../evaluate/evaluator-messages.ts';
import { RequireRules } from '../evaluate/require-rules.tsx';
import type { WireRuleSets } from '../service/wire.ts';
import { BookMap, placementWords } from './book-map.tsx';
import { bookState, downloadBook, effectiveDate, openBook, stopBook } from './book-state.ts';
import { MapColumns } from './map-columns.tsx';
import { OldAgainstNew } from './old-against-new.tsx';
import { openPolicies, PolicyList } from './policy-list.tsx';

export function BookView() {
  return (
    <>
      <h1>Check a book of policies</h1>
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
      {(now.state === 'none' || now.state === 'error' || now.state === 'evaluated') && <DropZone rules={rules} />}
      {now.state === 'opening' && (
        <p class="panel soft" role="status">
          Opening {now.file.name} …
        </p>
      )}
      {now.state === 'mapping' && <MapColumns key={now.file.name} file={now.file} peeked={now.peeked} rules={rules} />}
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
          <p class="row">
            <button type="button" onClick={() => void openBook(now.file, rules)}>
              Try again
            </button>
            <button type="button" onClick={() => void openBook(now.file, rules, true)}>
              Choose its columns
            </button>
          </p>
        </div>
      )}
      {now.state === 'evaluated' && <BookResults file={now.file} book={now.book} asOf={now.asOf} rules={rules} />}
    </>
  );
}

const isOver = signal(false);

function DropZone({ rules }: { readonly rules: WireRuleSets }) {
  const take = (file: File | undefined) => {
    if (file) void openBook(file, rules);
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
            {...dateInput}
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
        The first row names the columns, as your agency system writes them: the next step matches them to fields. The
        file stays in this page. It is checked with the rules of {rules.carriers.length} carriers and never sent.
        Appointments do not count, and addresses are not looked up.
      </p>
    </section>
  );
}

interface BookResultsProps {
  readonly file: File;
  readonly book: EvaluatedBook;
  readonly asOf: string;
  readonly rules: WireRuleSets;
}

function BookResults({ file, book, asOf, rules }: BookResultsProps) {
  const policies = book.rows - book.rejected;
  const takers = takersOf(book);
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
            <button type="button" onClick={() => void openBook(file, rules, true)}>
              Columns
            </button>
            <button type="button" onClick={() => print()}>
              Print
            </button>
            <button type="button" onClick={stopBook}>
              Remove
            </button>
          </span>
        </div>
        <p role="status">
          <strong>{number(policies)}</strong> {policies === 1 ? 'policy' : 'policies'} evaluated for{' '}
          {book.carriers.length} carriers in {book.seconds.toFixed(1)} s; <strong>{number(book.rejected)}</strong> of{' '}
          {number(book.rows)} rows rejected.
        </p>
        <p class="small soft">
          As of {asOf.slice(0, 16).replace('T', ' ')} UTC, effective{' '}
          {book.effectiveDates.map(([date]) => date).join(' and ')}.
          {book.warnings.length > 0 &&
            ` Warnings: ${book.warnings.map(([code, count]) => `${wordOf('reason', code)} ${number(count)}`).join(', ')}.`}
        </p>
        {policies > 0 && <Placement book={book} policies={policies} />}
        {policies === 0 && <p class="notice">No row could be evaluated. Reasons are listed below.</p>}
      </section>
      {book.rejected > 0 && <Rejected book={book} />}
      {policies > 0 && (
        <>
          <div class="panel">
            <StatusBars
              title="By carrier"
              rows={book.carriers.map(({ key, name, counts }) => ({ key, label: name, counts }))}
              open={({ key, label }, status, word) =>
                openPolicies('carriers', `${label}: ${word}`, { kind: 'status', carrier: key, status })
              }
            />
            <PolicyList under="carriers" />
          </div>
          <div class="pair">
            <div class="panel">
              <CountBars
                title="Carriers that accept or refer a policy"
                head={['Carriers', 'Policies']}
                rows={takers.map(({ label, count }) => [label, count])}
                open={(place) => {
                  const { label, selection } = takers[place]!;
                  openPolicies('takers', `Carriers that accept or refer the policy: ${label}`, selection);
                }}
              />
              <PolicyList under="takers" />
            </div>
            <div class="panel">
              {book.reasons.length === 0 ? (
                <p class="soft">Nothing is declined.</p>
              ) : (
                <CountBars
                  title="Why carriers decline"
                  head={['Reason', 'Answers']}
                  rows={book.reasons.map(([code, count]) => [wordOf('reason', code), count])}
                  open={(place) => {
                    const [code] = book.reasons[place]!;
                    openPolicies('reasons', `Policies that a carrier declines: ${wordOf('reason', code)}`, {
                      kind: 'reason',
                      code,
                    });
                  }}
                />
              )}
              <PolicyList under="reasons" />
            </div>
          </div>
          <BookMap counties={book.counties} />
          <OldAgainstNew rules={rules} />
          <div class="panel">
            <StatusBars
              title="By state"
              rows={book.states.map(([state, counts]) => ({ key: state, label: state.toUpperCase(), counts }))}
              open={({ key, label }, status, word) =>
                openPolicies('states', `${label}, at least one carrier: ${word}`, {
                  kind: 'status',
                  state: key,
                  status,
                })
              }
            />
            <PolicyList under="states" />
          </div>
          <div class="panel">
            <StatusBars
              title="By policy type"
              rows={book.policyTypes.map(([type, counts]) => ({ key: type, label: writeWord(type), counts }))}
              open={({ key, label }, status, word) =>
                openPolicies('types', `${label}, at least one carrier: ${word}`, {
                  kind: 'status',
                  policyType: key,
                  status,
                })
              }
            />
            <PolicyList under="types" />
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

interface TakersRow {
  readonly label: string;
  readonly count: number;
  readonly selection: PolicySelection;
}

function takersOf({ takers, open }: EvaluatedBook): readonly TakersRow[] {
  const [without = 0, ...some] = takers;
  const many = some.slice(MAX_COUNTED).reduce((sum, count) => sum + count, 0);
  const few = some
    .slice(0, many > 0 ? MAX_COUNTED : some.findLastIndex((count) => count > 0) + 1)
    .map((count, place): TakersRow => {
      const carriers = place + 1;
      return { label: String(carriers), count, selection: { kind: 'takers', from: carriers, to: carriers } };
    });
  const last = { kind: 'takers', from: MAX_COUNTED + 1, to: takers.length } as const;
  return [
    { label: 'none', count: without - open, selection: { kind: 'placement', placement: 'none' } },
    { label: 'none yet, some if answered', count: open, selection: { kind: 'placement', placement: 'possible' } },
    ...few,
    ...(many > 0 ? [{ label: `${MAX_COUNTED + 1} or more`, count: many, selection: last }] : []),
  ];
}

const placements = [
  ['carrier', 'eligible'],
  ['possible', 'needs_information'],
  ['none', 'ineligible'],
] as const;

/** Policies with a carrier, with a possible one, and without. */
function Placement({ book, policies }: { readonly book: EvaluatedBook; readonly policies: number }) {
  const without = book.takers[0] ?? 0;
  const counts = { carrier: policies - without, possible: book.open, none: without - book.open };
  return (
    <>
      <ul class="placement">
        {placements.map(([placement, status]) => (
          <li key={placement} class={`ink-${status}`}>
            <button
              type="button"
              class="placement-count"
              disabled={counts[placement] === 0}
              onClick={() =>
                openPolicies('placement', `Policies that ${placementWords[placement]}`, {
                  kind: 'placement',
                  placement,
                })
              }
            >
              <strong>{percent(counts[placement], policies)}</strong> {placementWords[placement]}
              <span class="block small">
                {number(counts[placement])} {counts[placement] === 1 ? 'policy' : 'policies'}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {book.settling.length > 0 && (
        <p>
          Answers that would settle most policies:{' '}
          {book.settling.map(([label, share], place) => (
            <span key={label}>
              {place > 0 && ', '}
              <strong>{label}</strong> ({Math.round(100 * share)} %)
            </span>
          ))}
          .{' '}
          <span class="small soft">
            Share of the policies with open answers for which this answer is the most useful, from a sample.
          </span>
        </p>
      )}
      <PolicyList under="placement" />
    </>
  );
}

const number = (value: number) => value.toLocaleString('en-US');
const percent = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`;
