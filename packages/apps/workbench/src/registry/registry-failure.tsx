import type { Failure } from '../service/ask.ts';
import { FailureNotice } from '../service/failure-notice.tsx';

/** A refusal of the registry, with all its faults. */
export function RegistryFailure({ failure }: { readonly failure: Failure }) {
  return (
    <>
      <FailureNotice failure={failure} />
      {failure.errors.length > 1 && (
        <ul class="panel listed-plain">
          {failure.errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
