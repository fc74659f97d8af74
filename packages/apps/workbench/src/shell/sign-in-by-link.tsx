import { useEffect, useState } from 'preact/hooks';
import type { Answered } from '../service/ask.ts';
import { FailureNotice } from '../service/failure-notice.tsx';
import { acceptOffer, declineOffer, type Session, session } from '../service/session.ts';
import { describeHolders, readTokenHolders, type TokenHolders } from '../service/token-holders.ts';

/** Shows whose tokens a link has. Signs in only if the person confirms. */
export function SignInByLink({ offered }: { readonly offered: Session }) {
  const [answer, setAnswer] = useState<Answered<TokenHolders>>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    setAnswer(undefined);
    void readTokenHolders(offered, left.signal).then((read) => left.signal.aborted || setAnswer(read));
    return () => left.abort();
  }, [offered, attempt]);
  return (
    <section class="sign-in panel stack" aria-labelledby="sign-in-by-link">
      <h1 id="sign-in-by-link">Sign in with this link?</h1>
      {answer === undefined && <p role="status">Reading whose link this is …</p>}
      {answer?.ok === false &&
        (answer.failure.status === 401 ? (
          <p role="alert">
            The service does not accept the token of this link. It was revoked, has expired or is incomplete.
          </p>
        ) : (
          <FailureNotice failure={answer.failure} again={() => setAttempt(attempt + 1)} />
        ))}
      {answer?.ok && <Holders holders={answer.data} offered={offered} />}
      <p class="row">
        {answer?.ok && (
          <button type="button" class="main" onClick={acceptOffer}>
            Sign in
          </button>
        )}
        <button type="button" onClick={declineOffer}>
          Cancel
        </button>
      </p>
    </section>
  );
}

function Holders({ holders, offered }: { readonly holders: TokenHolders; readonly offered: Session }) {
  const { organization, team, environment } = describeHolders(holders, offered);
  return (
    <>
      <dl class="facts">
        <dt>Organization</dt>
        <dd>{organization}</dd>
        <dt>Team</dt>
        <dd>{team ?? 'None'}</dd>
        <dt>Environment</dt>
        <dd>{environment ?? 'Unknown'}</dd>
      </dl>
      <p>People of this organization can see the quotes that you request. Sign in only if you know it.</p>
      {session.value !== undefined && (
        <p>You are signed in already: this ends that session and discards unsaved work.</p>
      )}
    </>
  );
}
