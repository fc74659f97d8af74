import { signal } from '@preact/signals';
import type { WireWholeVersion } from '../service/wire.ts';
import { decide, isAtWork, propose } from './registry-state.ts';

const why = signal('');

type Review = NonNullable<WireWholeVersion['review']>;
type Finding = Review['findings'][number];

/** One printable sheet for a version: what it is, who and when, what its review says; and room to sign. */
export function Sheet({ version }: { readonly version: WireWholeVersion }) {
  const { review } = version;
  return (
    <article class="panel stack sheet" aria-labelledby="sheet-title">
      <header class="stack-tight">
        <div class="row between">
          <h2 id="sheet-title">
            {version.carrier} <span class="soft">{version.version}</span>
          </h2>
          <span class="row no-print">
            <button type="button" id="sheet-print" onClick={() => print()}>
              Print
            </button>
          </span>
        </div>
        <dl class="facts">
          <Fact name="Status">{version.status.replace('_', ' ')}</Fact>
          <Fact name="Effective">
            {version.effective.from}
            {version.effective.until ? ` until ${version.effective.until}` : ', until further notice'}
          </Fact>
          <Fact name="Whose">
            {version.organization_id === null ? 'The catalog’s' : `Of organization ${version.organization_id}`}
          </Fact>
          <Fact name="SHA-256">
            <code>{version.sha256}</code>
          </Fact>
          <Fact name="Proposed">{signed(version.proposed)}</Fact>
          <Fact name="Approved">{signed(version.approved)}</Fact>
          {version.note && <Fact name="Note">{version.note}</Fact>}
          <Fact name="Revision">{String(version.revision)}</Fact>
        </dl>
      </header>
      {review ? <Reviewed review={review} /> : <p class="notice">It was not reviewed yet: propose it.</p>}
      <Steps version={version} />
      <section class="only-print signatures" aria-label="Signatures">
        <p>Proposed by: ______________________ Date: ____________</p>
        <p>Approved by: ______________________ Date: ____________</p>
      </section>
    </article>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const signed = (by: { readonly by: string; readonly at: string } | null) =>
  by === null ? 'not yet' : `${by.at.slice(0, 16).replace('T', ' ')} UTC by ${by.by}`;

function Reviewed({ review }: { readonly review: Review }) {
  const { cases, findings, changes, omitted, unexplained } = review;
  const open = findings.filter(({ allowed }) => allowed === undefined);
  const allowed = findings.filter(({ allowed: reason }) => reason !== undefined);
  return (
    <>
      <section class="stack-tight" aria-labelledby="sheet-cases">
        <h3 id="sheet-cases">Cases</h3>
        <p>
          {cases.run === 0
            ? 'It has no cases.'
            : `${cases.run} run, ${cases.failures.length === 0 ? 'all as they say' : `${cases.failures.length} otherwise than they say`}.`}
        </p>
        <Findings findings={cases.failures} />
      </section>
      <section class="stack-tight" aria-labelledby="sheet-open">
        <h3 id="sheet-open">Findings without an explanation</h3>
        <p>
          {unexplained.fault + unexplained.warning + unexplained.note === 0
            ? 'None.'
            : `${unexplained.fault} faults, ${unexplained.warning} warnings, ${unexplained.note} notes.`}
        </p>
        <Findings findings={open} />
      </section>
      {allowed.length > 0 && (
        <section class="stack-tight" aria-labelledby="sheet-allowed">
          <h3 id="sheet-allowed">Findings allowed, and why</h3>
          <Findings findings={allowed} />
        </section>
      )}
      <section class="stack-tight" aria-labelledby="sheet-changes">
        <h3 id="sheet-changes">What it changes against what is in force</h3>
        {changes.length === 0 ? <p>Nothing.</p> : <Findings findings={changes} />}
        {omitted > 0 && <p class="soft">{omitted} more findings and changes are not kept.</p>}
      </section>
    </>
  );
}

const marks = { fault: '✕', warning: '◆', note: '–' } as const;

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="listed-plain">
      {findings.map(({ code, path, message, severity, allowed }) => (
        <li key={`${code} ${path} ${message}`}>
          <span aria-hidden="true">{marks[severity]}</span> <span class="only-heard">{severity}:</span> {message}{' '}
          <code class="soft">{path}</code>
          {typeof allowed === 'string' && <p class="soft">Allowed: {allowed}</p>}
        </li>
      ))}
    </ul>
  );
}

function Steps({ version }: { readonly version: WireWholeVersion }) {
  const { status, rule_set_id } = version;
  const isOver = status === 'withdrawn' || status === 'replaced' || status === 'superseded';
  if (isOver) return null;
  return (
    <form class="row no-print" onSubmit={(event) => event.preventDefault()} aria-label="What becomes of it">
      {status !== 'draft' && (
        <span class="row">
          <label for="sheet-why">Why</label>
          <input
            id="sheet-why"
            class="why"
            value={why.value}
            onInput={({ currentTarget }) => {
              why.value = currentTarget.value;
            }}
          />
        </span>
      )}
      {status === 'draft' && (
        <button type="button" class="main" disabled={isAtWork.value} onClick={() => void propose({ rule_set_id })}>
          Propose it
        </button>
      )}
      {status === 'proposed' && (
        <button
          type="button"
          id="sheet-approve"
          class="main"
          disabled={isAtWork.value}
          onClick={() => void decide('approve', why.value)}
        >
          Approve it
        </button>
      )}
      {status !== 'draft' && (
        <button type="button" disabled={isAtWork.value} onClick={() => void decide('withdraw', why.value)}>
          Withdraw it
        </button>
      )}
    </form>
  );
}
