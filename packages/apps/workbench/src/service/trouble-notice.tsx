import type { Trouble } from './ask.ts';
import { faultyLabels, type LabelAt } from './name-faults.ts';

interface TroubleNoticeProps {
  readonly trouble: Trouble;
  readonly again?: () => void;
  /** For a form that shows each fault at its field: the notice lists the fields and has no button to try again. */
  readonly labelAt?: LabelAt;
}

/** Shows a failure, with a way to try again. */
export function TroubleNotice({ trouble, again, labelAt }: TroubleNoticeProps) {
  const labels = labelAt && faultyLabels(trouble, labelAt);
  if (labels) {
    return (
      <div class="notice bad" role="alert">
        <p>
          <strong>Correct {labels.length === 1 ? 'this field' : `these ${labels.length} fields`}:</strong>{' '}
          {labels.join(', ')}.
        </p>
      </div>
    );
  }
  return (
    <div class="notice bad stack-tight" role="alert">
      <p>
        <strong>{trouble.title}.</strong> {trouble.detail}
      </p>
      {again && (
        <p>
          <button type="button" onClick={again}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
