/** What the shades of a map of counties stand for, from the faintest on. */
export function StepLegend({ steps }: { readonly steps: readonly string[] }) {
  return (
    <ul class="row small">
      {steps.map((text, step) => (
        <li key={text} class="row">
          <svg class="swatch" viewBox="0 0 16 10" aria-hidden="true">
            <rect class={`step-${step}`} width="16" height="10" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
