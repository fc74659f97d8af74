import { capitalized, wordOf } from '@leeward/terms/words';
import { StatusMark } from '../design/status-mark.tsx';
import type { WireVerdict } from '../service/wire.ts';
import type { Change, Way } from './describe-change.ts';
import { form } from './home-state.ts';
import { labelIn, readSet, takeInto } from './line-form.ts';
import { decision, explained, explanationOf } from './verdicts.ts';

/** All of an answer: reasons, requirements, terms, changes that would help, and the rules behind it. */
export function VerdictDetails({ verdict }: { readonly verdict: WireVerdict }) {
  const { carrier, status, reasons, requirements, possible_requirements, notes, missing_fields } = verdict;
  const { why, isOld } = explanationOf(verdict);
  return (
    <>
      {reasons.length > 0 && (
        <ul class="reasons">
          {reasons.map((reason) => (
            <li key={reason.rule_id}>
              <p>{reason.message}</p>
              <RuleBehind verdict={why} ruleId={reason.rule_id} />
              {reason.distances?.map((text) => (
                <p class="small soft" key={text}>
                  {text}
                </p>
              ))}
              {reason.temporary && (
                <p class="small soft">Temporary{reason.ends_at ? `, until ${reason.ends_at}` : ''}.</p>
              )}
            </li>
          ))}
        </ul>
      )}
      {missing_fields.length > 0 && (
        <p class="small">Waiting for: {missing_fields.map((name) => labelIn(form.value, name)).join(', ')}.</p>
      )}
      <PossibleTiers tiers={verdict.possible_tiers} />
      <TiersMissed tiers={verdict.better_tiers} explained={why.better_tiers} carrier={carrier} isOld={isOld} />
      <TiersMissed tiers={verdict.other_tiers} carrier={carrier} isOld={isOld} />
      <Listed title="Requires" items={requirements} />
      <Listed title="May require" items={possible_requirements} />
      <Terms title="Terms" terms={verdict.terms} />
      <Terms title="May have terms" terms={verdict.possible_terms} />
      <Listed title="Notes" items={notes} />
      {status !== 'eligible' && <WouldChange verdict={why} isOld={isOld} />}
      <details>
        <summary class="small">Rules behind it</summary>
        <div class="stack-tight small">
          {why.explanation ? (
            <DecidedBy rules={why.explanation.decided_by} />
          ) : (
            <p class="soft">
              {decision.value === explained.value
                ? 'Only the first answers of a long list are explained. Choose a policy type to explain this one.'
                : 'Loading …'}
            </p>
          )}
          <p class="soft">
            Rule set {verdict.rule_set.version}, <code>{verdict.rule_set.sha256.slice(0, 12)}</code>
            {verdict.source !== 'catalog' &&
              `, ${verdict.source === 'override' ? 'tightened by' : 'of'} the organization`}
          </p>
        </div>
      </details>
    </>
  );
}

type Rule = NonNullable<WireVerdict['explanation']>['decided_by'][number];

/** The deciding conditions, with the values of the home. */
function RuleBehind({ verdict, ruleId }: { readonly verdict: WireVerdict; readonly ruleId: string }) {
  const rule = verdict.explanation?.decided_by.find((each) => each.rule_id === ruleId);
  if (rule === undefined) return null;
  return (
    <ul class="small soft tests">
      {rule.tests.map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function DecidedBy({ rules }: { readonly rules: readonly Rule[] }) {
  if (rules.length === 0) return <p class="soft">No rule declines it.</p>;
  return (
    <ul class="stack-tight">
      {rules.map(({ rule_id, outcome, code, truth, tests }) => (
        <li key={rule_id}>
          <code>{rule_id}</code> {wordOf('ruleOutcome', outcome)} ({wordOf('reason', code)}):{' '}
          {truth === 'true' ? 'holds' : truth === 'false' ? 'does not hold' : 'not decided'}
          <ul class="soft tests">
            {tests.map(({ text }) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

function Listed({
  title,
  items,
}: {
  readonly title: string;
  readonly items: readonly { readonly message: string; readonly rule_id: string }[];
}) {
  if (items.length === 0) return null;
  return (
    <div class="small">
      <h4>{title}</h4>
      <ul class="listed">
        {items.map(({ message, rule_id }) => (
          <li key={rule_id}>{message}</li>
        ))}
      </ul>
    </div>
  );
}

/** The terms under which the carrier accepts the home; possible ones with the fields they depend on. */
function Terms({ title, terms = {} }: { readonly title: string; readonly terms?: AnyTerms | undefined }) {
  const entries = Object.entries(terms);
  if (entries.length === 0) return null;
  return (
    <div class="small">
      <h4>{title}</h4>
      <ul class="listed">
        {entries.map(([name, { text, rules, fields }]) => (
          <li key={name}>
            {capitalized(text)}
            {fields && <span class="soft"> (depends on {labelsOf(fields)})</span>}
            {rules.map(({ rule_id, message }) => (
              <p class="soft" key={rule_id}>
                {message}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </div>
  );
}

type AnyTerms = Readonly<
  Record<
    string,
    {
      readonly text: string;
      readonly rules: readonly { readonly rule_id: string; readonly message: string }[];
      readonly fields?: readonly string[];
    }
  >
>;

type TierVerdict = NonNullable<WireVerdict['better_tiers']>[number];

export function nameOfTier({ name, program_id }: Pick<TierVerdict, 'name' | 'program_id'>): string {
  return name ?? program_id;
}

/** The tiers that missing fields leave open. */
function PossibleTiers({ tiers = [] }: { readonly tiers?: readonly TierVerdict[] | undefined }) {
  if (tiers.length === 0) return null;
  return (
    <div class="small">
      <h4>May be</h4>
      <ul class="listed">
        {tiers.map((tier) => (
          <li key={tier.program_id}>
            {nameOfTier(tier)}
            {tier.missing_fields && <span class="soft"> (depends on {labelsOf(tier.missing_fields)})</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Tiers that do not take the home, each with its reasons and the changes that would help. */
function TiersMissed({
  tiers = [],
  explained = [],
  carrier,
  isOld,
}: {
  readonly tiers?: readonly TierVerdict[] | undefined;
  readonly explained?: readonly TierVerdict[] | undefined;
  readonly carrier: string;
  readonly isOld: boolean;
}) {
  return (
    <>
      {tiers.map((tier) => {
        const change = explained.find(({ program_id }) => program_id === tier.program_id)?.would_change;
        return (
          <div class="small" key={tier.program_id}>
            <h4>Why not {nameOfTier(tier)}</h4>
            <ul class="listed">
              {tier.reasons.map(({ rule_id, message }) => (
                <li key={rule_id}>{message}</li>
              ))}
              {tier.missing_fields && <li class="soft">Depends on {labelsOf(tier.missing_fields)}</li>}
            </ul>
            {change?.outcome === 'ways' && (
              <Ways title={`Changes for ${nameOfTier(tier)}`} ways={change.ways} carrier={carrier} isOld={isOld} />
            )}
          </div>
        );
      })}
    </>
  );
}

function labelsOf(fields: readonly string[]): string {
  return fields.map((field) => labelIn(form.value, field)).join(', ');
}

/** Changes that lead to another status. Those of an earlier answer stay visible, but disabled. */
function WouldChange({ verdict, isOld }: { readonly verdict: WireVerdict; readonly isOld: boolean }) {
  const change = verdict.would_change;
  if (!change || change.outcome === 'none_needed') return null;
  if (change.outcome !== 'ways') {
    const messages = new Set(verdict.reasons.map(({ message }) => message));
    const blocked = change.blocked_by
      .map(({ message }) => message)
      .filter((message) => !messages.has(message))
      .join(' ');
    return <p class="small soft">{change.note ?? `No change to this home would make it eligible. ${blocked}`}</p>;
  }
  return <Ways title="Changes that would help" ways={change.ways} carrier={verdict.carrier} isOld={isOld} />;
}

function Ways({
  title,
  ways,
  carrier,
  isOld,
}: {
  readonly title: string;
  readonly ways: readonly Way[];
  readonly carrier: string;
  readonly isOld: boolean;
}) {
  return (
    <div class="small ways" aria-busy={isOld}>
      <h4>{title}</h4>
      <ul class="stack-tight">
        {ways.slice(0, 3).map(({ changes, becomes }) => {
          const text = changes.map((each) => each.text).join(' ');
          return (
            <li key={text} class="row between">
              <span>{text}</span>
              <span class="row">
                <StatusMark status={becomes} />
                <button type="button" aria-disabled={isOld} onClick={() => isOld || tryChanges(changes)}>
                  Try it<span class="only-heard"> with {carrier}</span>
                </button>
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Puts changes into the form. */
export function tryChanges(changes: readonly Change[]): void {
  const next: Record<string, string> = { ...form.value.typed.value };
  for (const { field, to, word } of changes) {
    if (word === undefined) next[field] = String(to);
    else {
      const others = (readSet(next[field] ?? '[]') ?? []).filter((each) => each !== word);
      next[field] = JSON.stringify(to === true ? [...others, word] : others);
    }
  }
  takeInto(form.value, next);
}
