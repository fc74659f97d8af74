import { effect, signal } from '@preact/signals';
import { ChooseVersion } from '../evaluate/choose-version.tsx';
import type { Version } from '../evaluate/edited-text.ts';
import { inForceOf } from '../evaluate/rule-sets.ts';
import { visit } from '../service/session.ts';
import type { WireRuleSets } from '../service/wire.ts';
import { BookImpact } from './book-impact.tsx';

/** Outlive the view. */
const older = signal<Version | undefined>(undefined);
const newer = signal<Version | undefined>(undefined);

export function OldAgainstNew({ rules }: { readonly rules: WireRuleSets }) {
  const before = older.value ?? inForceLike(newer.value, rules);
  return (
    <section class="stack-tight" aria-labelledby="book-change">
      <h2 id="book-change">Old rules against new</h2>
      <div class="pair">
        <ChooseVersion
          id="book-older"
          title="Older"
          version={before}
          choose={(version) => {
            older.value = version;
          }}
        />
        <ChooseVersion
          id="book-newer"
          title="Newer"
          version={newer.value}
          choose={(version) => {
            newer.value = version;
          }}
        />
      </div>
      {before && newer.value ? (
        <div class="panel">
          <BookImpact older={before.text} newer={newer.value.text} />
        </div>
      ) : (
        <p class="panel soft no-print">
          {newer.value
            ? 'Choose a version to compare with: this carrier has no version in force.'
            : 'Choose a newer version of a rule set to compare with the version in force, or with an older one, over this book.'}
        </p>
      )}
    </section>
  );
}

function inForceLike(version: Version | undefined, rules: WireRuleSets): Version | undefined {
  const key = version && /"carrier"\s*:\s*\{[^}]*"key"\s*:\s*"([^"]*)"/.exec(version.text)?.[1];
  return key === undefined ? undefined : inForceOf(key, rules);
}

// The next user must not see these versions.
effect(() => {
  void visit.value;
  older.value = newer.value = undefined;
});
