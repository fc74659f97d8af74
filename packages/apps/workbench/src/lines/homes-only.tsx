import { chosenLine, homeLine } from './served-lines.ts';

/** Notice of a view for homes while another line is chosen. */
export function HomesOnly() {
  const { line, title } = chosenLine.value;
  if (line === homeLine.line) return null;
  return (
    <p class="notice" role="note">
      This view is for homes only. Your input for {title} remains in the view Home.
    </p>
  );
}
