import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { TroubleNotice } from '../service/trouble-notice.tsx';
import type { WireRuleSets } from '../service/wire.ts';
import { loadRuleSets, ruleSets, wantRuleSets } from './rule-sets.ts';
import { leftToService, sharedJudge } from './shared-judge.ts';

/** What is shown to whoever may read the rules; to others, why not and what they can do. */
export function RulesWanted({
  what,
  otherwise,
  children,
}: {
  /** What is done here: “Books are judged”. */
  readonly what: string;
  /** What somebody does who may not read rules. */
  readonly otherwise: string;
  readonly children: (rules: WireRuleSets) => ComponentChildren;
}) {
  useEffect(wantRuleSets, []);
  // Begun here, so that who is left out is known before anything is asked.
  sharedJudge();
  const found = ruleSets.value;
  if (found.state === 'there') {
    const left = leftToService.value ?? [];
    if (found.rules.carriers.length > 0)
      return (
        <>
          {left.length > 0 && (
            <p class="notice">Skipped, because only the service can evaluate them: {left.join(', ')}.</p>
          )}
          {children(found.rules)}
        </>
      );
    return <p class="panel soft">This service has no carriers yet.</p>;
  }
  if (found.state === 'broken') return <TroubleNotice trouble={found.trouble} again={() => void loadRuleSets()} />;
  if (found.state === 'refused')
    return (
      <div class="notice stack-tight" role="alert">
        <p>
          <strong>This token may not read rule sets.</strong> {what} in this page by the rules themselves, which takes a
          token with the scope <code>rules</code>.
        </p>
        <p>{otherwise}</p>
      </div>
    );
  return (
    <p class="panel soft" role="status">
      Loading the rules …
    </p>
  );
}
