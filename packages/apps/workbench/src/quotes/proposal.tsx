import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from '../service/ask.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import { session } from '../service/session.ts';
import { readTokenHolders } from '../service/token-holders.ts';
import type { WireComparison } from '../service/wire.ts';
import { readProposal } from './quote-state.ts';

/** Ids of the rates to propose. */
export const proposed = signal<ReadonlySet<string>>(new Set());
/** Undefined: the name of the organization. */
const agencyName = signal<string | undefined>(undefined);
const organizationName = signal('');
/** Rates that were offered to choose from before: new ones are added as they arrive. */
let earlierIds: ReadonlySet<string> = new Set();

/** Offers that meet the carrier's terms are proposed, until the person changes that. */
function followRates({ rates }: WireComparison): void {
  const fresh = rates.filter(({ id }) => !earlierIds.has(id));
  if (fresh.length === 0) return;
  const ids = new Set(rates.map(({ id }) => id));
  const isOffer = ({ rate_type, violates_terms }: WireComparison['rates'][number]) =>
    rate_type !== 'indication' && !violates_terms;
  const others = [...proposed.value].filter((id) => ids.has(id));
  proposed.value = new Set([...others, ...fresh.filter(isOffer).map(({ id }) => id)]);
  earlierIds = ids;
}

/** Writes a page to print, with the name of the agency. */
export function Proposal({ id, compared }: { readonly id: string; readonly compared: WireComparison }) {
  const [failure, setFailure] = useState<Failure>();
  const [link, setLink] = useState<string>();
  useEffect(() => followRates(compared), [compared]);
  useEffect(() => {
    const left = new AbortController();
    const current = session.value;
    if (current) {
      void readTokenHolders(current, left.signal).then((answer) => {
        if (!answer.ok) return;
        const { first, team } = answer.data;
        organizationName.value = team?.organization?.name ?? first.organization?.name ?? '';
      });
    }
    return () => left.abort();
  }, []);
  useEffect(() => () => URL.revokeObjectURL(link ?? ''), [link]);
  const count = compared.rates.filter((rate) => proposed.value.has(rate.id)).length;
  const name = agencyName.value ?? organizationName.value;
  const open = async (event: Event) => {
    event.preventDefault();
    const rates = compared.rates.flatMap((rate) => (proposed.value.has(rate.id) ? [rate.id] : []));
    const answer = await readProposal(id, name, rates);
    setFailure(answer.ok ? undefined : answer.failure);
    if (!answer.ok) return;
    const url = URL.createObjectURL(answer.data);
    setLink(url);
    window.open(url, '_blank');
  };
  return (
    <form class="panel stack-tight no-print" aria-labelledby="proposal-title" onSubmit={(event) => void open(event)}>
      <h2 id="proposal-title">Proposal</h2>
      {failure && <FailureNotice failure={failure} />}
      <div class="row proposal">
        <div class="field">
          <label for="proposal-agency">Name of the agency</label>
          <input
            id="proposal-agency"
            autocomplete="organization"
            required
            value={name}
            onInput={({ currentTarget }) => {
              agencyName.value = currentTarget.value;
            }}
          />
        </div>
        <button type="submit" disabled={count === 0}>
          Open the proposal
        </button>
      </div>
      <p class="small soft" role="status">
        {count === 0
          ? 'Choose at least one rate in the row “In the proposal”.'
          : `A page to print or save as PDF, with ${count === 1 ? '1 rate' : `${count} rates`}.`}
        {link !== undefined && (
          <>
            {' '}
            <a href={link} target="_blank" rel="noopener">
              Open it again
            </a>
          </>
        )}
      </p>
    </form>
  );
}
