import { useState } from 'preact/hooks';
import { isRefused, isSignInKept, type Session, session, signIn, signInProvider } from '../service/session.ts';
import { SignInAtProvider } from './sign-in-at-provider.tsx';

/** The token stays in memory, or in the tab if the host keeps sign-ins. */
export function SignIn() {
  const { token: _, person: __, ...others } = session.peek() ?? { token: '' };
  const hasProvider = signInProvider !== undefined;
  const [values, setValues] = useState<Partial<Omit<Session, 'person'>>>(hasProvider ? {} : others);
  const field = (
    name: 'token' | 'organization' | 'teamToken' | 'producer',
    label: string,
    hint: string,
    isSecret: boolean,
  ) => (
    <div class="stack-tight">
      <label for={`sign-in-${name}`}>{label}</label>
      <input
        id={`sign-in-${name}`}
        type={(name === 'token' ? 'password' : 'text') as 'text'}
        class={isSecret ? 'secret' : undefined}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`sign-in-${name}-hint`}
        value={values[name] ?? ''}
        onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value.trim() })}
      />
      <p class="small soft" id={`sign-in-${name}-hint`}>
        {hint}
      </p>
    </div>
  );
  const enter = (event: Event) => {
    event.preventDefault();
    const { token = '', ...more } = values;
    if (token === '') return document.getElementById('sign-in-token')?.focus();
    signIn({ token, ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== '')) });
  };
  const tokenForm = (
    <>
      {field(
        'token',
        'Access token',
        `The token that an administrator created for you. ${
          isSignInKept
            ? 'This tab keeps it until you close it.'
            : 'It stays in memory: a reload or closing the page ends the sign-in.'
        }`,
        true,
      )}
      <details class="stack-tight" open={!hasProvider && Object.keys(others).length > 0}>
        <summary>For a team or an organization</summary>
        {field(
          'organization',
          'Organization (optional)',
          'Applies the appointments and rules of this organization. Without it, all carriers are evaluated.',
          false,
        )}
        {field('teamToken', 'Team token (optional)', 'For quotes, if the token above is not a team’s.', true)}
        {field('producer', 'Producer’s e-mail (optional)', 'The producer who requests quotes.', false)}
      </details>
      <p>
        <button type="submit" class={hasProvider ? undefined : 'main'}>
          {hasProvider ? 'Sign in with the token' : 'Sign in'}
        </button>
      </p>
    </>
  );
  return (
    <form class="sign-in panel stack" onSubmit={enter}>
      {isRefused.value ? (
        <div role="alert">
          <h2>{hasProvider ? 'Your sign-in has ended' : 'The service does not take this token'}</h2>
          <p>
            {hasProvider
              ? 'It has expired, or an administrator ended it.'
              : 'It was revoked, has expired or is incomplete.'}{' '}
            Your input is kept: sign in again to continue.
          </p>
        </div>
      ) : (
        <>
          <h1>Sign in</h1>
          {!hasProvider && (
            <p>
              Use the link that you were given. A demo prints one: <code>npm start</code>, or <code>leeward demo</code>{' '}
              later.
            </p>
          )}
        </>
      )}
      <SignInAtProvider />
      {hasProvider ? (
        <details class="stack">
          <summary>With an access token instead</summary>
          {tokenForm}
        </details>
      ) : (
        tokenForm
      )}
    </form>
  );
}
