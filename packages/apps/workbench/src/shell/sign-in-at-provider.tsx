import { beginProviderSignIn, providerSignIn } from '../service/provider-sign-in.ts';
import { signInProvider } from '../service/session.ts';

/** The button that opens the identity provider, with the progress of the sign-in. */
export function SignInAtProvider() {
  if (signInProvider === undefined) return null;
  const now = providerSignIn.value;
  if (now.step === 'choose') {
    return (
      <section class="stack-tight" aria-labelledby="sign-in-choose">
        <h2 id="sign-in-choose">You are a user of several organizations</h2>
        <p class="row">
          {now.organizations.map(({ id, name }) => (
            <button key={id} type="button" onClick={() => void beginProviderSignIn(id)}>
              {name}
            </button>
          ))}
        </p>
      </section>
    );
  }
  return (
    <div class="stack-tight">
      <p>
        <button
          type="button"
          id="sign-in-at-provider"
          class="main"
          disabled={now.step === 'busy'}
          onClick={() => void beginProviderSignIn()}
        >
          Sign in with {signInProvider.issuerName}
        </button>
      </p>
      {now.step === 'failed' && (
        <p class="notice bad" role="alert">
          {now.message}
        </p>
      )}
      {now.step === 'busy' && <p role="status">Signing in …</p>}
      {now.step === 'elsewhere' && <p role="status">Sign in there, in the other window. Your input is kept here.</p>}
      {now.step === 'passed_on' && <p role="status">You are signed in. Close this window.</p>}
    </div>
  );
}
