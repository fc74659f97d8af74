import type { Failure } from './ask.ts';
import { faultyLabels, type LabelAt } from './name-faults.ts';

interface FailureNoticeProps {
  readonly failure: Failure;
  readonly again?: () => void;
  /** For a form with faults at its fields: lists the fields, without a button to try again. */
  readonly labelAt?: LabelAt;
}

export function FailureNotice({ failure, again, labelAt }: FailureNoticeProps) {
  const labels = labelAt && faultyLabels(failure, labelAt);
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
        <strong>{failure.title}.</strong> {failure.detail}
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
