import type { ComponentChildren } from 'preact';
import { type Stale, staleWords } from './keep-results.ts';

/** A result of an earlier text stays, marked as such, until the next arrives. */
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
