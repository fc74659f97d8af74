import { writeWord } from '@leeward/terms/words';
import { useEffect } from 'preact/hooks';
import { statusWords } from '../design/policy-statuses.ts';
import { loadWatchedHomes, stopWatching, type WatchedHome, watchedHomes, watchFailure } from '../home/watched-homes.ts';
import { FailureNotice } from '../service/failure-notice.tsx';

/** Watched homes of the team with their last changes. Nothing if the service or the token does not offer them. */
export function WatchedList() {
  useEffect(() => void loadWatchedHomes(), []);
  const list = watchedHomes.value;
  const failure = watchFailure.value;
  if (failure?.status === 403 || failure?.status === 404) return null;
  if (!list && !failure) return null;
  return (
    <section class="panel stack" aria-labelledby="watched-title">
      <h2 id="watched-title">Watched homes</h2>
      {failure && <FailureNotice failure={failure} again={() => void loadWatchedHomes()} />}
      {list?.watched_homes.length === 0 && (
        <p class="small soft">
          No homes yet. <a href="#/home">Check a home</a> and choose Watch this home to see here when a carrier’s answer
          changes.
        </p>
      )}
      {list && list.watched_homes.length > 0 && (
        <ul class="quote-rows watched-rows">
          {list.watched_homes.map((home) => (
            <Row key={home.watched_home_id} home={home} />
          ))}
        </ul>
      )}
      {list && list.next !== null && (
        <p>
          <button type="button" onClick={() => void loadWatchedHomes(list.next!)}>
            More homes
          </button>
        </p>
      )}
    </section>
  );
}

function Row({ home }: { readonly home: WatchedHome }) {
  const { reference, last_change: change, counts, created_at } = home;
  const name = reference ?? 'Unreadable home';
  return (
    <li>
      <span class="quote-home">
        {name}
        <span class="small soft">Watched since {dayOf(created_at)}</span>
      </span>
      <span>{counts === null ? <span class="soft">Not evaluated yet</span> : `${counts.eligible} eligible`}</span>
      <span class="small">
        {change === null ? (
          <span class="soft">No changes</span>
        ) : (
          <>
            {change.changes.slice(0, SHOWN).map((each) => (
              <span class="block" key={`${each.carrier_key} ${each.policy_type}`}>
                <strong>{each.carrier}</strong> {writeWord(each.policy_type)}:{' '}
                {statusWords[each.status_before].word.toLowerCase()} →{' '}
                {statusWords[each.status_after].word.toLowerCase()}
              </span>
            ))}
            {change.changes.length > SHOWN && <span class="block">and {change.changes.length - SHOWN} more</span>}
            <time class="soft" dateTime={change.at}>
              {dayOf(change.at)}
            </time>
          </>
        )}
      </span>
      <button type="button" aria-label={`Stop watching ${name}`} onClick={() => void stopWatching(home)}>
        Stop watching
      </button>
    </li>
  );
}

/** Changes shown of one home. */
const SHOWN = 3;

const dayOf = (at: string) =>
  new Date(at).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric' });
