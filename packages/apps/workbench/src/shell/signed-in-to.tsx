import { useEffect, useState } from 'preact/hooks';
import { session } from '../service/session.ts';
import { describeHolders, readTokenHolders, type SessionWords } from '../service/token-holders.ts';

/** Organization, team and environment of the session. */
export function SignedInTo() {
  const current = session.value;
  const [words, setWords] = useState<SessionWords>();
  useEffect(() => {
    const left = new AbortController();
    setWords(undefined);
    if (current !== undefined) {
      void readTokenHolders(current, left.signal).then((answer) => {
        if (answer.ok && !left.signal.aborted) setWords(describeHolders(answer.data, current));
      });
    }
    return () => left.abort();
  }, [current]);
  if (words === undefined) return null;
  const { organization, team, environment } = words;
  const whole = [organization, team, environment].filter((each) => each !== undefined).join(' · ');
  // Truncates a long name, but never the environment.
  return (
    <p class="signed-in-to small" title={`Signed in to ${whole}`}>
      <span class="holders">
        <span class="only-heard">Signed in to </span>
        <strong>{organization}</strong>
        {team !== undefined && <span> · {team}</span>}
      </span>
      {environment !== undefined && <span class="environment"> · {environment}</span>}
    </p>
  );
}
