import { wordOf, writeWord } from '@leeward/terms/words';
import { effect, signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { places } from '../address/places.ts';
import { type ShownStatus, shownStatuses } from '../design/policy-statuses.ts';
import { StatusMark } from '../design/status-mark.tsx';
import { visit } from '../service/session.ts';
import type { WireDecision, WireVerdict } from '../service/wire.ts';
import { form } from './home-state.ts';
import { priceWords, skipWords } from './indications.ts';
import { labelIn } from './line-form.ts';
import { canPick, PickQuote, QuotePicks } from './quote-picks.tsx';
import {
  describePath,
  filterVerdicts,
  groupNotOffered,
  type ShownOrder,
  sortVerdicts,
  summarize,
} from './rank-verdicts.ts';
import { nameOfTier, VerdictDetails } from './verdict-details.tsx';
import { canQuote, decision, explanationOf, failure, keyOf } from './verdicts.ts';

/** Statuses to show; empty: all. */
const statusFilter = signal<ReadonlySet<ShownStatus>>(new Set());
const text = signal('');
const order = signal<ShownOrder>('best');
const isWhole = signal(false);
/** Keys of open rows. */
const open = signal<ReadonlySet<string>>(new Set());

/** Rows before the button that shows all. */
const MAX_ROWS = 12;

function showAll(): void {
  statusFilter.value = new Set();
  text.value = '';
}

// The next user starts with the whole list.
effect(() => {
  void visit.value;
  showAll();
  order.value = 'best';
  isWhole.value = false;
  open.value = new Set();
});

function withToggled<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

/** The number of answers by status. Each is a filter of the list. */
export function StatusFilters() {
  const counts = decision.value?.counts;
  const statuses = shownStatuses.filter((status) => counts && (counts[status] > 0 || statusFilter.value.has(status)));
  const toggle = (status: ShownStatus) => {
    statusFilter.value = withToggled(statusFilter.value, status);
    const list = document.getElementById('answers');
    // On a narrow screen the list is below the form.
    if (list && list.getBoundingClientRect().top > innerHeight * 0.8) list.scrollIntoView();
  };
  return (
    <div class="counts">
      <p class="only-heard" role="status">
        {counts && statuses.map((status) => `${counts[status]} ${wordOf('status', status)}`).join(', ')}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: the legend of a fieldset does not take part in the row. */}
      <div class="row" role="group" aria-label="Show only">
        {statuses.map((status) => (
          <button
            type="button"
            key={status}
            class="filter"
            aria-pressed={statusFilter.value.has(status)}
            onClick={() => toggle(status)}
          >
            <StatusMark status={status} count={counts![status]} />
          </button>
        ))}
        {statusFilter.value.size > 0 && (
          <button type="button" class="plain small" onClick={showAll}>
            Show all
          </button>
        )}
        {failure.value && failure.value.code !== 'given_up' && (
          <span class="fault failed" aria-hidden="true">
            {failure.value.title}.
          </span>
        )}
      </div>
    </div>
  );
}

/** The answers of carriers, best first, a row each. */
export function VerdictList({ answer }: { readonly answer: WireDecision }) {
  const all = [...answer.carriers, ...answer.declined];
  const rows = sortVerdicts(filterVerdicts(all, statusFilter.value, text.value), order.value);
  const drawn = isWhole.value ? rows : rows.slice(0, MAX_ROWS);
  const onlyNotOffered = statusFilter.value.size === 1 && statusFilter.value.has('not_offered');
  return (
    <div class="stack-tight" id="answers">
      {all.length > 0 ? (
        <>
          <div class="list-head">
            <ListTools />
            <QuotePicks answer={answer} />
          </div>
          {rows.length === 0 && !onlyNotOffered && (
            <p class="panel row between">
              <span class="soft">No carrier matches the filter.</span>
              <button type="button" onClick={showAll}>
                Show all
              </button>
            </p>
          )}
          <ul class={`verdicts${drawn.length > MAX_ROWS ? ' long' : ''}`}>
            {drawn.map((verdict) => (
              <Row key={keyOf(verdict)} verdict={verdict} />
            ))}
          </ul>
          {rows.length > drawn.length && (
            <p>
              <button
                type="button"
                onClick={() => {
                  isWhole.value = true;
                }}
              >
                Show all {rows.length.toLocaleString('en-US')}
              </button>
            </p>
          )}
        </>
      ) : (
        <p class="panel">{emptyWords(answer)}</p>
      )}
      {(statusFilter.value.size === 0 || statusFilter.value.has('not_offered')) && (
        <NotOffered answer={answer} isOpen={all.length === 0 || statusFilter.value.has('not_offered')} />
      )}
    </div>
  );
}

/** The name of the state of an answer. */
function stateOf({ home }: WireDecision): string {
  const state = String(home['state'] ?? '');
  return places.value[state]?.name ?? state.toUpperCase();
}

/** For an answer without verdicts. */
function emptyWords(answer: WireDecision): string {
  const { line } = form.value;
  const type = answer.home['policy_type'];
  if (answer.counts.not_offered > 0)
    return `No carrier writes ${type === undefined ? line.noun : writeWord(String(type))} in ${stateOf(answer)}.`;
  return answer.warnings.length > 0
    ? 'No carrier could be evaluated.'
    : `No carrier of this service writes ${line.title.toLowerCase()} insurance.`;
}

function ListTools() {
  return (
    <div class="list-tools">
      <label class="row">
        <span class="only-heard">Find a carrier</span>
        <input
          id="answers-text"
          type="search"
          placeholder="Find a carrier or reason"
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value;
          }}
        />
      </label>
      <label class="row">
        <span class="only-heard">Order</span>
        <select
          id="answers-order"
          value={order.value}
          onChange={({ currentTarget }) => {
            order.value = currentTarget.value as ShownOrder;
          }}
        >
          <option value="best">Best first</option>
          <option value="carrier">By carrier</option>
        </select>
      </label>
    </div>
  );
}

/** A carrier's answer in a line: status, reason and the way to a better answer. The button opens the details. */
function Row({ verdict }: { readonly verdict: WireVerdict }) {
  const { carrier, policy_type: type, status, tier } = verdict;
  const key = keyOf(verdict);
  const id = `verdict-${key.replaceAll(' ', '-')}`;
  const isOpen = open.value.has(key);
  const price = canQuote(verdict) ? priceWords(key) : undefined;
  const skip = canQuote(verdict) ? skipWords(key) : undefined;
  const isPickable = canPick(verdict);
  return (
    <li>
      <article class={`verdict edge-${status}${isPickable ? ' quotable' : ''}`} aria-labelledby={id}>
        <header>
          {isPickable && <PickQuote verdict={verdict} />}
          <h3 id={id}>
            <button
              type="button"
              class="opens"
              aria-expanded={isOpen}
              aria-controls={`${id}-details`}
              onClick={() => {
                open.value = withToggled(open.value, key);
              }}
            >
              {carrier} <span class="soft type">{writeWord(type)}</span>{' '}
              {tier && <span class="tier">{nameOfTier(tier)}</span>}
            </button>
          </h3>
          <StatusMark status={status} />
          {!isOpen && <InShort verdict={verdict} />}
          {price && <p class="small price">{price}</p>}
          {skip && <p class="small soft price">No quotes: {skip}</p>}
        </header>
        {isOpen && (
          <div class="verdict-details stack-tight" id={`${id}-details`}>
            <VerdictDetails verdict={verdict} />
          </div>
        )}
      </article>
    </li>
  );
}

/** The first reason, and the way to a better answer; that of an earlier answer is dimmed. */
function InShort({ verdict }: { readonly verdict: WireVerdict }) {
  const { why, isOld } = explanationOf(verdict);
  const path = describePath(verdict, why.would_change);
  const kind = why.would_change?.outcome === 'ways' ? ' way-out' : '';
  return (
    <>
      <p class="small reason">{summarize(verdict, (field) => labelIn(form.value, field))}</p>
      {path && <p class={`small path${isOld ? ' old' : ''}${kind}`}>{path}</p>}
    </>
  );
}

/** Carriers without an answer, by reason. Their names are drawn only while it is open. */
function NotOffered({ answer, isOpen }: { readonly answer: WireDecision; readonly isOpen: boolean }) {
  const { not_offered: count } = answer.counts;
  const [isDrawn, setDrawn] = useState(isOpen);
  if (count === 0) return null;
  const groups = isDrawn || isOpen ? groupNotOffered(answer, stateOf(answer), form.value.line.noun) : [];
  return (
    <details class="panel not-offered" open={isOpen} onToggle={({ currentTarget }) => setDrawn(currentTarget.open)}>
      <summary>Not offered ({count.toLocaleString('en-US')})</summary>
      <dl class="stack-tight small">
        {groups.map(({ reason, carriers }) => (
          <div key={reason}>
            <dt>
              {reason}: {carriers.length.toLocaleString('en-US')}
            </dt>
            <dd class="soft">{carriers.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
