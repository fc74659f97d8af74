import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { FailureNotice } from '../service/failure-notice.tsx';
import type { WireRuleSets } from '../service/wire.ts';
import { ensureRuleSets, loadRuleSets, ruleSets } from './rule-sets.ts';
import { leftToService, sharedEvaluator } from './shared-evaluator.ts';

/** Shows its children if the token may read the rules; otherwise the reason and an alternative. */
export function RequireRules({
  what,
  otherwise,
  children,
}: {
  /** Start of a sentence: “Books are evaluated”. */
  readonly what: string;
  /** Advice without access to rules. */
  readonly otherwise: string;
  readonly children: (rules: WireRuleSets) => ComponentChildren;
}) {
  useEffect(ensureRuleSets, []);
  // Start early, so that skipped carriers are known before the first question.
  sharedEvaluator();
  const result = ruleSets.value;
  if (result.state === 'ready') {
    const left = leftToService.value ?? [];
    if (result.rules.carriers.length > 0)
      return (
        <>
          {left.length > 0 && (
            <p class="notice">Skipped, because only the service can evaluate them: {left.join(', ')}.</p>
          )}
          {children(result.rules)}
        </>
      );
    return <p class="panel soft">This service has no carriers yet.</p>;
  }
  if (result.state === 'error') return <FailureNotice failure={result.failure} again={() => void loadRuleSets()} />;
  if (result.state === 'refused')
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
