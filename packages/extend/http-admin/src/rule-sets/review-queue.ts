import { Problem } from '@leeward/http';

/** A tenant whose rule sets are reviewed. */
export interface ReviewTenant {
  readonly key: string;
  /** The operator's work has priority, and any number of its reviews may wait. */
  readonly isOperator: boolean;
}

/** Shares one thread among tenants. */
export interface ReviewQueue {
  /**
   * Runs `work` when the tenant is next. One work runs at a time.
   *
   * @throws the reason of an aborted `signal`; `work` is then not started, or ended by the thread
   * @throws {Problem} `rate_limited` if too much work of the tenant waits
   */
  run<T>(tenant: ReviewTenant, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

/** Maximum number of waiting reviews of one tenant. */
const MAX_WAITING_OF_TENANT = 3;
/** Seconds until a refused tenant may try again. */
const RETRY_AFTER_S = 5;

/** Starts waiting work. */
type Begin = () => void;
/** Tenants with waiting work, the next one first, each with its work in order of arrival. */
type Tenants = Map<string, Set<Begin>>;

/** Operators first, then organizations round-robin: an organization waits for at most one review of each other one. */
export function createReviewQueue({ maxWaiting = MAX_WAITING_OF_TENANT } = {}): ReviewQueue {
  const operators: Tenants = new Map();
  const organizations: Tenants = new Map();
  let isBusy = false;

  function beginNext(): void {
    const begin = takeNext(operators) ?? takeNext(organizations);
    isBusy = begin !== undefined;
    begin?.();
  }

  async function wait({ key, isOperator }: ReviewTenant, signal: AbortSignal | undefined): Promise<void> {
    const tenants = isOperator ? operators : organizations;
    const waiting = tenants.get(key) ?? new Set<Begin>();
    if (!isOperator && waiting.size >= maxWaiting) throw tooMany(maxWaiting);
    tenants.set(key, waiting);
    await new Promise<void>((begin, reject) => {
      waiting.add(begin);
      const giveUp = () => {
        waiting.delete(begin);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }

  return {
    async run(tenant, signal, work) {
      signal?.throwIfAborted();
      if (isBusy) await wait(tenant, signal);
      isBusy = true;
      try {
        // The signal may have been aborted since `wait` resolved.
        signal?.throwIfAborted();
        return await work();
      } finally {
        beginNext();
      }
    },
  };
}

/** Takes the next work of the first tenant, and moves the tenant to the end. */
function takeNext(tenants: Tenants): Begin | undefined {
  for (const [key, waiting] of tenants) {
    tenants.delete(key);
    const [begin] = waiting;
    if (begin === undefined) continue;
    waiting.delete(begin);
    if (waiting.size > 0) tenants.set(key, waiting);
    return begin;
  }
  return undefined;
}

function tooMany(maxWaiting: number): Problem {
  const detail = `One rule set of this organization is being reviewed and ${maxWaiting} more are waiting; try again in ${RETRY_AFTER_S} s.`;
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
