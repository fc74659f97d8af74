import { useState } from 'preact/hooks';
import { type Session, session } from '../service/session.ts';

/** Asks for a token where the address brought none. It stays in memory. */
export function SignIn() {
  const [given, setGiven] = useState<Partial<Session>>({});
  const field = (name: keyof Session, label: string, hint: string, isSecret: boolean) => (
    <div class="stack-tight">
      <label for={`sign-in-${name}`}>{label}</label>
      <input
        id={`sign-in-${name}`}
        type={(isSecret ? 'password' : 'text') as 'text'}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={`sign-in-${name}-hint`}
        value={given[name] ?? ''}
        onInput={({ currentTarget }) => setGiven({ ...given, [name]: currentTarget.value.trim() })}
      />
      <p class="small soft" id={`sign-in-${name}-hint`}>
        {hint}
      </p>
    </div>
  );
  const { token = '', ...others } = given;
  const enter = (event: Event) => {
    event.preventDefault();
    if (token === '') return document.getElementById('sign-in-token')?.focus();
    const told = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
    session.value = { token, ...told };
  };
  return (
    <form class="sign-in panel stack" onSubmit={enter}>
      <h1>Sign in</h1>
      {field(
        'token',
        'Token',
        'The key that the service was given for you. It stays in memory, and goes when you close the page.',
        true,
      )}
      {field(
        'organization',
        'Organization (optional)',
        'Whose appointments and own rules count; without it every carrier is asked.',
        false,
      )}
      {field('teamToken', 'Team token (optional)', 'For quotes, where the key above is not a team’s.', true)}
      {field('producer', 'Producer’s e-mail (optional)', 'Who asks for quotes.', false)}
      <p>
        <button type="submit" class="main">
          Sign in
        </button>
      </p>
    </form>
  );
}
