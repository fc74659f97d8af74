import { wordOf } from '@leeward/terms/words';
import { signal } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { BookImpact } from '../book/book-impact.tsx';
import { cases, editVersion } from '../evaluate/edited-text.ts';
import { ensureRuleSets, inForceOf, ruleSets } from '../evaluate/rule-sets.ts';
import { decide, isAtWork, propose } from '../registry/registry-state.ts';
import { approvingNeeds, isOwnProposal, proposingNeeds, signer } from '../registry/rights.ts';
import type { RulesAnswer, RulesQuestion, TestedCases } from '../rules/rules-messages.ts';
import { startWorker } from '../service/start-worker.ts';
import type { WireVersion, WireWholeVersion } from '../service/wire.ts';

const why = signal('');

export const statusNames: Readonly<Record<WireVersion['status'], string>> = {
  draft: 'Draft',
  proposed: 'Proposed',
  approved: 'Approved',
  in_force: 'In force',
  replaced: 'Replaced',
  withdrawn: 'Withdrawn',
  superseded: 'Superseded',
};

/** `eligible to needs information`. */
const moveInWords = (move: string) =>
  move
    .split(' to ')
    .map((status) => wordOf('status', status))
    .join(' to ');

type Review = NonNullable<WireWholeVersion['review']>;
type Finding = Review['findings'][number];

export function ApprovalReport({ version }: { readonly version: WireWholeVersion }) {
  const { review } = version;
  return (
    <article class="panel stack approval-report" aria-labelledby="report-title">
      <header class="stack-tight">
        <div class="row between">
          <h2 id="report-title">
            {version.carrier} <span class="soft">{version.version}</span>
          </h2>
          <span class="row no-print">
            <button type="button" onClick={() => edit(version)}>
              Edit a copy
            </button>
            <button type="button" id="report-print" onClick={() => print()}>
              Print
            </button>
          </span>
        </div>
        <dl class="facts">
          <Fact name="Status">{statusNames[version.status]}</Fact>
          <Fact name="Effective">
            {version.effective.from}
            {version.effective.until ? ` until ${version.effective.until}` : ', until further notice'}
          </Fact>
          <Fact name="Belongs to">
            {version.organization_id === null ? 'The shared catalog' : `Organization ${version.organization_id}`}
          </Fact>
          <Fact name="SHA-256">
            <code>{version.sha256}</code>
          </Fact>
          <Fact name="Proposed">{signed(version.proposed)}</Fact>
          <Fact name="Approved">{signed(version.approved)}</Fact>
          {version.four_eyes && <Fact name="Four eyes">{proofs[version.four_eyes]}</Fact>}
          {version.note && <Fact name="Note">{version.note}</Fact>}
          <Fact name="Revision">{String(version.revision)}</Fact>
        </dl>
      </header>
      {review ? (
        <Reviewed version={version} review={review} />
      ) : (
        <p class="notice">Not reviewed yet. Propose it to have it reviewed.</p>
      )}
      <Steps version={version} />
      <section class="only-print signatures" aria-label="Signatures">
        <p>Proposed by: ______________________ Date: ____________</p>
        <p>Approved by: ______________________ Date: ____________</p>
      </section>
    </article>
  );
}

/** Edits a copy under Rule set. */
function edit({ carrier_key, version, rule_set, cases: run }: WireWholeVersion): void {
  editVersion({ name: `${carrier_key} ${version}.json`, text: `${JSON.stringify(rule_set, null, 2)}\n` });
  cases.value = run == null ? undefined : { name: 'cases.json', text: JSON.stringify(run) };
  location.hash = '#/rules';
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
  by === null ? 'Not yet' : `${by.at.slice(0, 16).replace('T', ' ')} UTC by ${signer(by.by)}`;

/** Proof of an approval, in words. */
const proofs = {
  people: 'Two people',
  tokens: 'Two tokens: does not prove two people',
} as const;

function Reviewed({ version, review }: { readonly version: WireWholeVersion; readonly review: Review }) {
  const { cases: run, findings, changes, omitted } = review;
  const open = findings.filter(({ allowed }) => allowed === undefined);
  const allowed = findings.filter(({ allowed: reason }) => reason !== undefined);
  const notes = open.filter(({ severity }) => severity === 'note');
  const mistakes = open.filter(({ severity }) => severity !== 'note');
  return (
    <>
      <section class="stack-tight" aria-labelledby="report-changes">
        <h3 id="report-changes">Changes from the version in force</h3>
        {changes.length === 0 ? <p>None.</p> : <Findings findings={changes} />}
        {omitted > 0 && <p class="soft">{omitted} more findings and changes are not stored.</p>}
      </section>
      <Impact version={version} review={review} />
      <section class="stack-tight" aria-labelledby="report-open">
        <h3 id="report-open">Likely mistakes</h3>
        {mistakes.length === 0 ? (
          <p>None.</p>
        ) : (
          <>
            {version.status === 'proposed' && (
              <p>
                Approval may be refused until each is corrected, or explained under <code>allow</code> in the rule set.
              </p>
            )}
            <Findings findings={mistakes} />
          </>
        )}
        {notes.length > 0 && (
          <details>
            <summary>
              {notes.length} {notes.length === 1 ? 'note' : 'notes'}
            </summary>
            <Findings findings={notes} />
          </details>
        )}
      </section>
      {allowed.length > 0 && (
        <section class="stack-tight" aria-labelledby="report-allowed">
          <h3 id="report-allowed">Explained findings</h3>
          <Findings findings={allowed} />
        </section>
      )}
      <section class="stack-tight" aria-labelledby="report-cases">
        <h3 id="report-cases">Cases</h3>
        <p>
          {run.run === 0
            ? 'It has no cases.'
            : `${run.run} run; ${run.failures.length === 0 ? 'all pass' : `${run.failures.length} fail`}.`}
        </p>
        <Findings findings={run.failures} />
        {run.run > 0 && <Coverage ruleSet={version.rule_set} cases={version.cases} />}
      </section>
    </>
  );
}

/** Changes in the book of the proposal, and in the one dropped on this page. */
function Impact({ version, review: { book } }: { readonly version: WireWholeVersion; readonly review: Review }) {
  useEffect(ensureRuleSets, []);
  const result = ruleSets.value;
  const newer = useMemo(() => JSON.stringify(version.rule_set), [version]);
  const before = result.state === 'ready' ? inForceOf(version.carrier_key, result.rules) : undefined;
  if (!book && !before) return null;
  return (
    <section class="stack-tight" aria-labelledby="report-book">
      <h3 id="report-book">Changes in a book</h3>
      {book && (
        <p>
          Sent with it: {book.changed.toLocaleString('en-US')} of {book.homes.toLocaleString('en-US')} homes have a
          different answer
          {Object.entries(book.by_move).map(
            ([move, count]) => `; ${moveInWords(move)} ${count.toLocaleString('en-US')}`,
          )}
          .
        </p>
      )}
      {before && version.status === 'in_force' ? (
        <p class="soft no-print">This version is in force.</p>
      ) : (
        before && <BookImpact older={before.text} newer={newer} />
      )}
    </section>
  );
}

const marks = { fault: '✕', warning: '◆', note: '–' } as const;

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul class="listed-plain">
      {findings.map(({ code, path, message, severity, allowed }) => (
        <li key={`${code} ${path} ${message}`}>
          <span aria-hidden="true">{marks[severity]}</span> <span class="only-heard">{severity}:</span> {message}
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
  const needs = status === 'draft' ? proposingNeeds(version.carrier_key) : undefined;
  const obstacle = status === 'proposed' ? approvingNeeds(version) : undefined;
  return (
    <form class="stack-tight no-print" onSubmit={(event) => event.preventDefault()} aria-label="Decision">
      {(needs ?? obstacle) && <p>{needs ?? obstacle}</p>}
      <div class="fields-in-row">
        {status !== 'draft' && (
          <label class="why">
            Reason (optional)
            <input
              id="report-why"
              value={why.value}
              onInput={({ currentTarget }) => {
                why.value = currentTarget.value;
              }}
            />
          </label>
        )}
        {status === 'draft' && needs === undefined && (
          <button
            type="button"
            class="main"
            aria-disabled={isAtWork.value}
            onClick={() => void propose({ rule_set_id })}
          >
            Propose
          </button>
        )}
        {status === 'proposed' && isOwnProposal(version) && <CopyLink />}
        {status === 'proposed' && (
          <button
            type="button"
            id="report-approve"
            class={obstacle === undefined ? 'main' : undefined}
            aria-disabled={isAtWork.value}
            onClick={() => void decide('approve', why.value)}
          >
            Approve
          </button>
        )}
        {status !== 'draft' && (
          <button type="button" aria-disabled={isAtWork.value} onClick={() => void decide('withdraw', why.value)}>
            Withdraw
          </button>
        )}
      </div>
    </form>
  );
}

/** The address of the report is without a token. */
function CopyLink() {
  const [isCopied, setIsCopied] = useState(false);
  return (
    <button
      type="button"
      id="report-link"
      class="main"
      onClick={() =>
        void navigator.clipboard.writeText(location.href).then(
          () => setIsCopied(true),
          () => prompt('Copy this link:', location.href),
        )
      }
    >
      <span role="status">{isCopied ? 'Link copied' : 'Copy link for the approver'}</span>
    </button>
  );
}

/** The cases run in the page. */
function Coverage({ ruleSet, cases }: { readonly ruleSet: unknown; readonly cases: unknown }) {
  const [tested, setTested] = useState<TestedCases | 'away' | undefined>(undefined);
  useEffect(() => {
    setTested(undefined);
    const worker = startWorker('rules');
    worker.addEventListener('message', ({ data }: MessageEvent<RulesAnswer>) => {
      if (data.tested) setTested(data.tested);
      else if (data.faults.length > 0) setTested('away');
    });
    worker.addEventListener('error', () => setTested('away'));
    const [text, run] = [ruleSet, cases].map((each) => JSON.stringify(each)) as [string, string];
    worker.postMessage({ number: 1, text, saved: undefined, cases: run } satisfies RulesQuestion);
    return () => worker.terminate();
  }, [ruleSet, cases]);
  if (tested === undefined) return <p class="soft">Running the cases …</p>;
  if (tested === 'away') return <p class="soft">Not available here: run leeward rules coverage.</p>;
  const rules = Object.entries(tested.reached);
  const sides = rules.flatMap(([, each]) => each.sides);
  const missed = rules.filter(([, { holds }]) => holds === 0).map(([id]) => id);
  return (
    <>
      <p>
        {rules.length - missed.length} of {rules.length} rules hold in a case;{' '}
        {sides.filter(({ isReached }) => isReached).length} of {sides.length} sides of limits are reached.
      </p>
      {missed.length > 0 && (
        <p>No case reaches: {missed.map((id, place) => [place > 0 && ', ', <code key={id}>{id}</code>])}.</p>
      )}
    </>
  );
}
