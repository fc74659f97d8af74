import { type Step, shadeOf } from './county-map.tsx';

export function StepLegend({ steps }: { readonly steps: readonly (readonly [step: Step, text: string])[] }) {
  return (
    <ul class="row small">
      {steps.map(([step, text]) => (
        <li key={text} class="row">
          <svg class="swatch" viewBox="0 0 16 10" aria-hidden="true">
            <rect {...shadeOf(step)} width="16" height="10" />
          </svg>
          {text}
        </li>
      ))}
    </ul>
  );
}
