import { chosenLine, homeLine } from './served-lines.ts';

/** Says of a view that it is for homes, where another line was chosen. */
export function HomesOnly() {
  const { line, title } = chosenLine.value;
  if (line === homeLine.line) return null;
  return (
    <p class="notice" role="note">
      This view is for homes only. Your input for {title} remains in the view Home.
    </p>
  );
}
