import { capitalized, writeWord } from '@leeward/terms/words';
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { CheckRow } from '../design/check-row.tsx';
import { download } from '../service/download.ts';
import type { WireComparison } from '../service/wire.ts';
import { type ComparedRate, groupRates, type RateGroup } from './compare-rates.ts';
import { labelOf } from './field-groups.ts';
import { missingIn } from './missing-answers.tsx';
import { proposed } from './proposal.tsx';
import { failure, readDocument } from './quote-state.ts';
import { coverageWords, dateWords, premiumWords } from './quote-words.ts';

const showsDifferences = signal(true);
const isNarrow = signal(false);

/** Rates with a premium: a table for each form type, cards on a phone. */
export function SideBySide({ compared }: { readonly compared: WireComparison }) {
  useEffect(() => {
    const narrow = matchMedia('(max-width: 40rem)');
    const follow = () => {
      isNarrow.value = narrow.matches;
    };
    follow();
    narrow.addEventListener('change', follow);
    return () => narrow.removeEventListener('change', follow);
  }, []);
  const groups = groupRates(compared);
  return (
    <section class="panel stack" aria-labelledby="quote-rates">
      <div class="row between">
        <h2 id="quote-rates">Compare premiums</h2>
        <CheckRow label="Differences only" checked={showsDifferences} />
      </div>
      {groups.map((group) => (
        <Group key={`${group.form} ${group.isIndication}`} group={group} isAlone={compared.rates.length === 1} />
      ))}
    </section>
  );
}

function Group({ group, isAlone }: { readonly group: RateGroup; readonly isAlone: boolean }) {
  const { form, isIndication, rates, lines, differences, isUnknown } = group;
  const title = `${writeWord(form)}${isIndication ? ': indications' : ''}`;
  const visible = showsDifferences.value && !isAlone ? lines.filter((each) => isOpen(each)) : lines;
  const hidden = lines.length - visible.length;
  const rows = rowsOf(group, visible);
  return (
    <section class="stack-tight" aria-label={title}>
      <h3>{title}</h3>
      {isIndication && <p class="small soft">Estimates: the carrier can still change these premiums.</p>}
      {rates.length > 1 && (
        <p class={differences.length > 0 ? 'notice small' : 'small soft'}>
          {differences.length > 0
            ? `Not like for like. They differ in: ${differences.join(', ')}.`
            : isUnknown
              ? 'A carrier does not list what it covers, so these may not be like for like.'
              : 'Like for like: the same coverages and deductibles.'}
        </p>
      )}
      {isNarrow.value ? <Cards rates={rates} rows={rows} /> : <Table title={title} rates={rates} rows={rows} />}
      {hidden > 0 && (
        <p class="small soft">
          {hidden === 1 ? '1 coverage' : `${hidden} coverages`} without a difference {hidden === 1 ? 'is' : 'are'}{' '}
          hidden.
        </p>
      )}
    </section>
  );
}

const isOpen = ({ line, same }: RateGroup['lines'][number]) => !same || line.differs_from_request.length > 0;

interface RateRow {
  readonly title: string;
  readonly hint?: string;
  /** In the order of the rates. */
  readonly cells: readonly ComponentChildren[];
  readonly kind?: 'total';
  /** Stays visible on a card. */
  readonly isFirst?: true;
}

const offerWords = { indication: 'Indication', quoted: 'Quoted', bindable: 'Ready to bind' } as const;

function rowsOf({ rates }: RateGroup, lines: RateGroup['lines']): readonly RateRow[] {
  const row = (title: string, cellOf: (rate: ComparedRate) => ComponentChildren): RateRow => ({
    title,
    cells: rates.map(cellOf),
  });
  const all: readonly RateRow[] = [
    { ...row('Total a year', ({ premium }) => premiumWords(premium)), kind: 'total', isFirst: true },
    row('Fees and taxes included', feesOf),
    {
      ...row('Offer', ({ rate_type, outcome }) =>
        [rate_type && offerWords[rate_type], outcome === 'referred' && 'referred to underwriting']
          .filter(Boolean)
          .join(', '),
      ),
      isFirst: true,
    },
    {
      ...row('Terms not met', ({ terms }) =>
        terms.filter(({ result }) => result === 'violated').map(({ text }) => <Flag key={text}>{text}</Flag>),
      ),
      isFirst: true,
    },
    ...lines.map(({ line, texts }): RateRow => {
      const { name, requested_value, differs_from_request } = line;
      return {
        title: name,
        ...(requested_value && { hint: `requested ${coverageWords(requested_value)}` }),
        cells: rates.map(({ id }, index) =>
          differs_from_request.includes(id) ? (
            <Flag>
              {texts[index]} <span class="only-heard">differs from the request</span>
            </Flag>
          ) : (
            capitalized(texts[index]!)
          ),
        ),
      };
    }),
    row('Subject to', ({ subject_to }) => subject_to.map(({ message }) => <p key={message}>{message}</p>)),
    row('Valid until', ({ expires_at }) => expires_at && dateWords(expires_at)),
    row('Financial strength', ({ financial_strength: each }) => each && `${each.rating} (${each.agency})`),
    row('Depends on missing answers', ({ carrier_response_messages: messages }) =>
      missingIn(messages).map(labelOf).join(', '),
    ),
    row('Messages', messagesOf),
    row('Quote number', (rate) => <QuoteNumber rate={rate} />),
    row('Documents', ({ id, documents }) =>
      documents.map((document) => (
        <button
          key={document.document_id}
          type="button"
          class="plain"
          onClick={() => void openDocument(id, document.document_id, document.title)}
        >
          {document.title}
        </button>
      )),
    ),
    { ...row('In the proposal', ({ id, carrier }) => <Proposed id={id} carrier={carrier} />), isFirst: true },
  ];
  return all.filter(({ cells }) => cells.some((cell) => !isEmpty(cell)));
}

/** Without those that other rows have. */
function messagesOf({ carrier_response_messages: messages, subject_to, terms }: ComparedRate): ComponentChildren {
  const others = new Set(subject_to.map(({ message }) => message));
  const isShown = ({ code, message }: NonNullable<typeof messages>[number]) =>
    code !== 'missing_field' &&
    code !== 'term_violated' &&
    !others.has(message) &&
    !terms.some(({ text }) => message.includes(text));
  return messages?.filter(isShown).map(({ code, message }) => <p key={`${code} ${message}`}>{message}</p>);
}

const isEmpty = (cell: ComponentChildren) =>
  cell === null || cell === undefined || cell === '' || (Array.isArray(cell) && cell.length === 0);

function feesOf({ premium, premium_before_fees: before }: ComparedRate): string {
  return before === null ? '' : premiumWords((Number(premium) - Number(before)).toFixed(2));
}

/** A value that the customer must notice. */
const Flag = ({ children }: { readonly children: ComponentChildren }) => (
  <span class="differs">
    <span aria-hidden="true">≠ </span>
    {children}
  </span>
);

function QuoteNumber({ rate }: { readonly rate: ComparedRate }) {
  const { carrier, carrier_quote_number: number, carrier_quote_url, bridge_url } = rate;
  const url = bridge_url ?? carrier_quote_url;
  if (!url || !/^https?:/.test(url)) return <>{number ?? '–'}</>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {number ?? 'Open'}
      <span class="only-heard"> at {carrier}</span>
    </a>
  );
}

function Proposed({ id, carrier }: { readonly id: string; readonly carrier: string }) {
  return (
    <label class="row">
      <input
        type="checkbox"
        checked={proposed.value.has(id)}
        onChange={({ currentTarget: { checked } }) => {
          const others = [...proposed.value].filter((each) => each !== id);
          proposed.value = new Set(checked ? [...others, id] : others);
        }}
      />
      <span>
        Propose<span class="only-heard"> {carrier}</span>
      </span>
    </label>
  );
}

async function openDocument(rateId: string, documentId: string, title: string): Promise<void> {
  const answer = await readDocument(rateId, documentId);
  if (answer.ok) download(answer.data, title);
  else failure.value = answer.failure;
}

interface RatesProps {
  readonly rates: readonly ComparedRate[];
  readonly rows: readonly RateRow[];
}

function Table({ title, rates, rows }: RatesProps & { readonly title: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section class="scroll" tabIndex={0} aria-label={`Rates, ${title}`}>
      <table class="rates">
        <thead>
          <tr>
            <th scope="col">
              <span class="only-heard">Property</span>
            </th>
            {rates.map(({ id, carrier }) => (
              <th key={id} scope="col" class="number">
                {carrier}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ title: name, hint, cells, kind }) => (
            <tr key={name} class={kind}>
              <th scope="row">
                {name}
                {hint && <span class="small soft block">{hint}</span>}
              </th>
              {cells.map((cell, index) => (
                <td key={rates[index]!.id} class="number">
                  {isEmpty(cell) ? '–' : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cards({ rates, rows }: RatesProps) {
  return (
    <ul class="stack">
      {rates.map(({ id, carrier }, index) => (
        <li key={id}>
          <article class="rate-card stack-tight" aria-label={carrier}>
            <h4>{carrier}</h4>
            <Facts rows={rows.filter(({ isFirst }) => isFirst)} index={index} />
            <details>
              <summary class="small">Coverages and details</summary>
              <Facts rows={rows.filter(({ isFirst }) => !isFirst)} index={index} />
            </details>
          </article>
        </li>
      ))}
    </ul>
  );
}

function Facts({ rows, index }: { readonly rows: readonly RateRow[]; readonly index: number }) {
  return (
    <dl>
      {rows.map(({ title, hint, cells, kind }) =>
        isEmpty(cells[index]) ? null : (
          <div key={title} class={kind}>
            <dt>
              {title}
              {hint && <span class="small soft block">{hint}</span>}
            </dt>
            <dd>{cells[index]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
