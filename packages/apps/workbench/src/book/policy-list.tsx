import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ListedPolicies, PolicySelection } from '../evaluate/evaluator-messages.ts';
import { bookState, downloadPolicies, listPolicies } from './book-state.ts';
import { PolicyCells } from './policy-cells.tsx';

/** The list that is open: below which table, its title and its policies. */
interface OpenList {
  readonly under: string;
  readonly title: string;
  readonly selection: PolicySelection;
}

const openList = signal<OpenList | undefined>(undefined);

export function openPolicies(under: string, title: string, selection: PolicySelection): void {
  openList.value = { under, title, selection };
}

/** The policies behind a number of the table above, if one was chosen. */
export function PolicyList({ under }: { readonly under: string }) {
  const list = openList.value;
  return list?.under === under ? <Listed list={list} /> : null;
}

function Listed({ list }: { readonly list: OpenList }) {
  const [answer, setAnswer] = useState<ListedPolicies | Error | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  const now = bookState.value;
  useEffect(() => {
    let isHere = true;
    setAnswer(undefined);
    listPolicies(list.selection).then(
      (listed) => isHere && setAnswer(listed),
      (error: Error) => isHere && setAnswer(error),
    );
    heading.current?.focus();
    return () => {
      isHere = false;
    };
  }, [list, now]);
  const close = () => {
    openList.value = undefined;
    document.getElementById('content')?.focus();
  };
  return (
    <section class="policies stack-tight" aria-labelledby="policies-title">
      <div class="row between">
        <h3 id="policies-title" tabIndex={-1} ref={heading}>
          {list.title}
        </h3>
        <span class="row no-print">
          {answer && 'count' in answer && answer.count > 0 && (
            <button type="button" onClick={() => void downloadPolicies(list.selection)}>
              Download {answer.count === 1 ? 'this policy' : `these ${answer.count.toLocaleString('en-US')}`}
            </button>
          )}
          <button type="button" onClick={close}>
            Close
          </button>
        </span>
      </div>
      {answer === undefined ? (
        <p class="soft" role="status">
          Listing …
        </p>
      ) : answer instanceof Error ? (
        <p class="notice bad" role="alert">
          The policies could not be listed: {answer.message}
        </p>
      ) : (
        <PolicyTable answer={answer} />
      )}
    </section>
  );
}

function PolicyTable({ answer: { count, extraTitles, policies } }: { readonly answer: ListedPolicies }) {
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="scroll few-rows" tabIndex={0} aria-label="Policies">
        <table>
          <thead>
            <tr>
              {['Row', ...extraTitles, 'Form', 'Place'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {['Carriers', 'Possible'].map((head) => (
                <th key={head} scope="col" class="number">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {policies.map((policy) => (
              <tr key={policy.row}>
                <PolicyCells policy={policy} />
                <td class="number">{policy.takes}</td>
                <td class="number">{policy.could}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {count > policies.length && (
        <p class="soft">and {(count - policies.length).toLocaleString('en-US')} more: the download has all.</p>
      )}
    </>
  );
}
