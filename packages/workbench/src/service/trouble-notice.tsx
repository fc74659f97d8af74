import type { Trouble } from './ask.ts';

/** What went wrong, said on the page, with a way to try again. */
export function TroubleNotice({ trouble, again }: { readonly trouble: Trouble; readonly again?: () => void }) {
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
