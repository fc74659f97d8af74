import type { ComponentChildren } from 'preact';
import { type Stale, staleWords } from './keep-results.ts';

/** A result of the analysis. The one of an earlier text stays, and says so, until that of the present text is there. */
export function Result({
  id,
  title,
  stale,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly stale: Stale | undefined;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={`panel stack-tight${stale ? ' stale' : ''}`} aria-labelledby={id} aria-busy={stale === 'checking'}>
      <div class="row between">
        <h2 id={id}>{title}</h2>
        {stale && <span class="small soft">{staleWords[stale]}</span>}
      </div>
      {children}
    </section>
  );
}
