import { effect, signal } from '@preact/signals';
import { cases } from '../evaluate/edited-text.ts';
import { ruleSets } from '../evaluate/rule-sets.ts';
import { RegistryFailure } from '../registry/registry-failure.tsx';
import { failure, isAtWork, propose } from '../registry/registry-state.ts';
import { proposingNeeds } from '../registry/rights.ts';
import { visit } from '../service/session.ts';
import type { RuleSetIdentity } from './rules-messages.ts';

/** As typed; undefined: the suggestion. */
const typedVersion = signal<string | undefined>(undefined);
const note = signal('');

interface ProposeVersionProps {
  readonly identity: RuleSetIdentity;
  /** Version of the text as opened, if it was edited since. */
  readonly openedVersion: string | undefined;
  /** True if the identity belongs to the text in the editor. */
  readonly isCurrent: boolean;
  /** Writes the version into the text, and returns the text. */
  readonly textWith: (version: string) => string;
  /** Number of faults and warnings without an explanation; undefined while the text is checked. */
  readonly mistakes: number | undefined;
  readonly proposed: () => void;
}

/** Sends the text of the editor to the registry, under an unused version. */
export function ProposeVersion({
  identity,
  openedVersion,
  isCurrent,
  textWith,
  mistakes,
  proposed,
}: ProposeVersionProps) {
  const { carrierKey, version } = identity;
  const needs = proposingNeeds(carrierKey);
  const usedVersions = [openedVersion, ...versionsInForce(carrierKey)];
  const proposal =
    typedVersion.value ?? (usedVersions.includes(version.text) ? nextVersion(version.text) : version.text);
  const isBlocked = !isCurrent || isAtWork.value || proposal.trim() === '';
  const send = async (event: Event) => {
    event.preventDefault();
    if (isBlocked) return;
    const rule_set: unknown = JSON.parse(textWith(proposal.trim()));
    const run = cases.value && readJson(cases.value.text);
    const why = note.value.trim();
    if (!(await propose({ rule_set, ...(run === undefined ? {} : { cases: run }), ...(why && { note: why }) }))) return;
    typedVersion.value = undefined;
    note.value = '';
    proposed();
  };
  return (
    <section class="panel stack-tight" aria-labelledby="rules-propose">
      <h2 id="rules-propose">Propose this version</h2>
      {needs ? (
        <p>{needs}</p>
      ) : (
        <form class="stack-tight" onSubmit={(event) => void send(event)}>
          <p class="small soft">
            Leeward runs its cases, looks for likely mistakes and compares it with the version in force. Another person
            approves it.
          </p>
          <p class="fields-in-row">
            <label>
              Version
              <input
                id="rules-version"
                class="version"
                value={proposal}
                onInput={({ currentTarget }) => {
                  typedVersion.value = currentTarget.value;
                }}
              />
            </label>
            <label class="why">
              Reason (optional)
              <input
                id="rules-note"
                value={note.value}
                onInput={({ currentTarget }) => {
                  note.value = currentTarget.value;
                }}
              />
            </label>
          </p>
          <p>
            <button type="submit" id="rules-propose-button" class="main" aria-disabled={isBlocked}>
              Propose {proposal}
            </button>
          </p>
          {mistakes !== undefined && mistakes > 0 && (
            <p class="small">
              Approval may be refused: {mistakes === 1 ? '1 likely mistake is' : `${mistakes} likely mistakes are`}{' '}
              listed under Findings. Correct {mistakes === 1 ? 'it' : 'them'}, or give a reason under <code>allow</code>
              .
            </p>
          )}
          {failure.value && <RegistryFailure failure={failure.value} />}
        </form>
      )}
    </section>
  );
}

function versionsInForce(carrierKey: string): readonly string[] {
  if (ruleSets.value.state !== 'ready') return [];
  const carrier = ruleSets.value.rules.carriers.find(({ carrier_key }) => carrier_key === carrierKey);
  return carrier?.versions.map(({ version }) => version) ?? [];
}

/** `2025.1.1` → `2025.1.2`; a version without a number at its end gets one. */
function nextVersion(version: string): string {
  const [, start, last] = /^(.*?)(\d+)$/.exec(version) ?? [];
  return last === undefined ? `${version}.1` : `${start}${String(Number(last) + 1).padStart(last.length, '0')}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

effect(() => {
  void visit.value;
  typedVersion.value = undefined;
  note.value = '';
});
