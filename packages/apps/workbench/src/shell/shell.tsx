import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { route } from '../address/route.ts';
import { mayDiscard } from '../evaluate/unsaved-edits.ts';
import { HomesOnly } from '../lines/homes-only.tsx';
import { chooseTeam, leave } from '../service/provider-sign-in.ts';
import { isRefused, offer, session } from '../service/session.ts';
import { describeHolders, holders } from '../service/token-holders.ts';
import { SignIn } from './sign-in.tsx';
import { SignInByLink } from './sign-in-by-link.tsx';
import { views } from './views.ts';

/** Loaded views by name. */
const loaded = signal<ReadonlyMap<string, ComponentType>>(new Map());
const failed = signal<string | undefined>(undefined);

export function Shell() {
  const view = views.find(({ name }) => name === route.value.view) ?? views[0]!;
  const main = useRef<HTMLElement>(null);
  const offered = offer.value;
  const isIn = session.value !== undefined && offered === undefined;
  const here = isIn ? view.name : offered ? 'link' : '';
  const lastView = useRef(here);
  // Before the paint: a later focus would take the keys of a user who types at once.
  useLayoutEffect(() => {
    document.title = `${isIn ? view.title : 'Sign in'} – Leeward workbench`;
    // After a change of view, or signing in or out, continue at the start of the view.
    if (lastView.current !== here) main.current?.focus();
    // On a narrow screen the navigation scrolls.
    document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    lastView.current = here;
  }, [here]);
  if (!isIn) {
    return (
      <main id="content" tabIndex={-1} ref={main}>
        {offered ? <SignInByLink offered={offered} /> : <SignIn />}
      </main>
    );
  }
  return (
    <>
      <button type="button" class="skip no-print" onClick={() => main.current?.focus()}>
        To the content
      </button>
      <header class="top no-print">
        <span class="name">Leeward</span>
        <nav aria-label="Views">
          <ul>
            {views.map(({ name, title }) => (
              <li key={name}>
                <a href={`#/${name}`} aria-current={name === view.name ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="end row">
          <SignedInTo />
          <button type="button" class="plain" onClick={() => mayDiscard() && void leave()}>
            Sign out
          </button>
        </div>
      </header>
      <main id="content" tabIndex={-1} ref={main}>
        {isRefused.value && <SignIn />}
        {view.isForHomes && <HomesOnly />}
        <Opened name={view.name} />
      </main>
    </>
  );
}

function Opened({ name }: { readonly name: string }) {
  const View = loaded.value.get(name);
  useEffect(() => {
    if (View === undefined) void open(name);
  }, [name, View]);
  if (View) return <View />;
  if (failed.value === name) {
    return (
      <div class="notice bad stack-tight" role="alert">
        <p>This view could not be loaded.</p>
        <p>
          <button type="button" onClick={() => void open(name)}>
            Try again
          </button>
        </p>
      </div>
    );
  }
  return <p class="soft">Opening …</p>;
}

async function open(name: string): Promise<void> {
  failed.value = undefined;
  try {
    const view = await views.find((each) => each.name === name)!.load();
    loaded.value = new Map([...loaded.value, [name, view]]);
  } catch {
    failed.value = name;
  }
}

/** Organization, team and environment of the session. */
function SignedInTo() {
  if (holders.value === undefined || session.value === undefined) return null;
  const { organization, team, environment, person } = describeHolders(holders.value, session.value);
  const teams = session.value.person?.teams ?? [];
  const whole = [person, organization, team, environment].filter((each) => each !== undefined).join(' · ');
  // Truncates a long name, but never the environment.
  return (
    <p class="signed-in-to small" title={`Signed in to ${whole}`}>
      <span class="holders">
        <span class="only-heard">Signed in to </span>
        {person !== undefined && <span>{person} · </span>}
        <strong>{organization}</strong>
        {team !== undefined && teams.length < 2 && <span> · {team}</span>}
      </span>
      {teams.length > 1 && (
        <select
          aria-label="Team"
          value={session.value.teamToken ?? ''}
          onChange={({ currentTarget }) => chooseTeam(currentTarget.value)}
        >
          {teams.map(({ token, name }) => (
            <option key={token} value={token}>
              {name}
            </option>
          ))}
        </select>
      )}
      {environment !== undefined && <span class="environment"> · {environment}</span>}
    </p>
  );
}
