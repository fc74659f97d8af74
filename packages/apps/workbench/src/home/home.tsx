import { capitalized, wordOf, writeTime } from '@leeward/terms/words';
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ChooseLine } from '../lines/choose-line.tsx';
import { homeLine, linesFailed, otherLines, wantLines } from '../lines/served-lines.ts';
import { LazyMap } from '../map/lazy-map.tsx';
import { FailureNotice } from '../service/failure-notice.tsx';
import { session } from '../service/session.ts';
import type { WireDecision } from '../service/wire.ts';
import { CommonChanges } from './common-changes.tsx';
import { AddressBar, HomeForm } from './home-form.tsx';
import { chooseLine, followHome, form, missingLine } from './home-state.ts';
import { followIndications } from './indications.ts';
import { titleAt } from './line-form.ts';
import { followAddressState } from './state-of-address.ts';
import { StatusFilters, VerdictList } from './verdict-list.tsx';
import {
  askDistance,
  askVerdicts,
  decision,
  distance,
  distanceFailure,
  failure,
  followTyping,
  isAsking,
} from './verdicts.ts';
import { watchHome } from './watched-homes.ts';

export function Home() {
  useEffect(() => {
    void wantLines();
    const ends = [followHome(), followTyping(), followAddressState(), followIndications()];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  const missing = missingLine.value;
  const chooser = <ChooseLine isNone={missing !== undefined} choose={chooseLine} />;
  if (missing !== undefined) {
    return (
      <>
        <h1>Who takes it?</h1>
        {chooser}
        <MissingLine name={missing} />
      </>
    );
  }
  return (
    <>
      <div class="row between">
        <h1>Who takes this {form.value.line.noun}?</h1>
        <CopyHome />
      </div>
      {chooser}
      <AddressBar />
      {/* Above the form, so that they stay visible on a narrow screen. */}
      <StatusFilters />
      <div class="home">
        <HomeForm />
        <Verdicts />
        <aside class="stack" aria-label="Changes and place">
          <CommonChanges />
          <Place />
        </aside>
      </div>
    </>
  );
}

/** For an unknown or pending line. Its parameters are not those of a home. */
function MissingLine({ name }: { readonly name: string }) {
  if (!linesFailed.value && otherLines.value === undefined) {
    return (
      <p class="panel soft" role="status">
        Asking which lines of business there are …
      </p>
    );
  }
  return (
    <div class="notice bad stack-tight" role="alert">
      <p>
        {linesFailed.value ? (
          <strong>The lines of business could not be loaded.</strong>
        ) : (
          <>
            <strong>This service does not have the line of business {name}.</strong> The address keeps the values you
            entered.
          </>
        )}
      </p>
      <p class="row">
        {linesFailed.value && (
          <button type="button" onClick={() => void wantLines()}>
            Try again
          </button>
        )}
        <button type="button" onClick={() => chooseLine(homeLine)}>
          Go on with homes
        </button>
      </p>
    </div>
  );
}

function Verdicts() {
  const answer = decision.value;
  const bad = failure.value;
  return (
    <section class="stack" aria-labelledby="verdicts-title" aria-busy={isAsking.value}>
      <h2 id="verdicts-title" class="only-heard">
        Answers of carriers
      </h2>
      {bad && bad.code !== 'given_up' && (
        <FailureNotice failure={bad} again={() => void askVerdicts()} labelAt={(path) => titleAt(form.value, path)} />
      )}
      {!answer && !bad && <p class="panel soft">{emptyWords(form.value.request.value)}</p>}
      {answer && (
        <>
          {!bad && <Notes warnings={answer.warnings} />}
          <Events events={answer.events} />
          <VerdictList answer={answer} />
          <p class="small soft">{answer.notice}</p>
        </>
      )}
    </section>
  );
}

function emptyWords({ state, address }: Readonly<Record<string, unknown>>): string {
  if (state !== undefined) return 'Asking the carriers …';
  return address === undefined
    ? 'Choose a state to see which carriers would write this home. Blank answers count as unknown.'
    : 'Give the state or the ZIP code of the address to see which carriers would write it.';
}

/** Warnings of the last answer, which do not hold for what an error is about. Several are folded, so that the answers stay in sight. */
function Notes({ warnings }: Pick<WireDecision, 'warnings'>) {
  // The field shows the county of a ZIP code, and rows lack what is not explained.
  const notes = warnings.filter(({ code }) => code !== 'county_from_zip' && code !== 'explanation_truncated');
  if (notes.length === 0) return null;
  const list = notes.map(({ code, message }) => <p key={`${code} ${message}`}>{message}</p>);
  if (notes.length === 1) return <div class="notice small">{list}</div>;
  return (
    <details class="notice small">
      <summary>{notes.length} notes on these answers</summary>
      {list}
    </details>
  );
}

/** Storms and other events that rules may match for the home. */
function Events({ events }: { readonly events: WireDecision['events'] }) {
  if (events === undefined) return null;
  return (
    <p class="notice small" role="status">
      In force now: {events.map(describeEvent).join('; ')}.
    </p>
  );
}

/** `Hurricane Elena (watch) since 2026-08-29 12:00 UTC`. */
function describeEvent({ kind, name, alert, from }: NonNullable<WireDecision['events']>[number]): string {
  const title = [capitalized(wordOf('value', kind)), name].filter((part) => part !== undefined).join(' ');
  const level = alert === undefined || alert === 'none' ? '' : ` (${alert})`;
  return `${title}${level} since ${writeTime(from)}`;
}

function Place() {
  const position = distance.value;
  const bad = distanceFailure.value;
  // An address that is not complete, or unknown.
  if (bad?.status === 422)
    return (
      <p class="panel small soft" role="status">
        {bad.errors[0]?.message ?? bad.detail}
      </p>
    );
  if (bad && bad.code !== 'given_up') return <FailureNotice failure={bad} again={() => void askDistance()} />;
  if (!position) return null;
  const limits = decision.value
    ? [...decision.value.carriers, ...decision.value.declined].flatMap((verdict) =>
        (verdict.distance_limits ?? []).map((limit) => ({ ...limit, carrier: verdict.carrier })),
      )
    : [];
  return <LazyMap distance={position} limits={limits} />;
}

const message = signal('');

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    message.value = `${what} copied.`;
  } catch {
    message.value = 'The browser did not let it be copied.';
  }
}

async function watch(home: Readonly<Record<string, unknown>>): Promise<void> {
  message.value = '';
  message.value = await watchHome(home);
}

/** The home as a request. `$LEEWARD_TOKEN` replaces the token. */
function asCurl(line: string, home: object, organization: string | undefined): string {
  const path = `v1/underwrite/${line}${organization === undefined ? '' : `/${organization}`}`;
  const body = JSON.stringify(home).replaceAll("'", `'\\''`);
  return `curl -s ${new URL(path, document.baseURI).href} -H "authorization: Bearer $LEEWARD_TOKEN" -H 'content-type: application/json' -d '${body}'`;
}

function CopyHome() {
  const { line, request } = form.value;
  const home = request.value;
  return (
    <div class="row small no-print copy-home">
      {line === homeLine && request.value['state'] !== undefined && (
        <button type="button" onClick={() => void watch(home)}>
          Watch this home
        </button>
      )}
      <button type="button" onClick={() => void copy(location.href, 'Link')}>
        Copy link
      </button>
      <button
        type="button"
        onClick={() => void copy(asCurl(line.line, home, session.value?.organization), 'curl command')}
      >
        Copy as curl
      </button>
      <button type="button" onClick={() => void copy(JSON.stringify(home, null, 2), 'JSON')}>
        Copy as JSON
      </button>
      <span role="status">{message.value}</span>
    </div>
  );
}
