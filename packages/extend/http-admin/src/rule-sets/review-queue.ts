import { Problem } from '@leeward/http';

/** Who has something reviewed. */
export interface ReviewTenant {
  /** Work of one key is one tenant's. */
  readonly key: string;
  /** An operator's work comes before that of organizations, and as much of it as there is may wait. */
  readonly isOperator: boolean;
}

/** Gives one thread to many tenants. */
export interface ReviewQueue {
  /**
   * Runs `work` when it is the tenant's turn, one piece of work at a time.
   *
   * @throws what `signal` was aborted with; `work` is then never begun, or the thread ends it.
   * @throws {Problem} `rate_limited` if too much of the tenant's work waits.
   */
  run<T>(tenant: ReviewTenant, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>;
}

/** Work of one tenant that may wait while another piece of it is under way. */
const MAX_WAITING_OF_TENANT = 3;
/** Seconds after which a tenant with too much waiting may come again. */
const RETRY_AFTER_S = 5;

/** Begins a piece of work that waits. */
type Begin = () => void;
/** Tenants with waiting work, in the order of their turns, each with its work in the order in which it came. */
type Tenants = Map<string, Set<Begin>>;

/**
 * Operators first, then one piece of work for each organization in turn: an organization waits for one review of each other
 * organization, however many those have proposed.
 */
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
        // It may be given up between its turn and here.
        signal?.throwIfAborted();
        return await work();
      } finally {
        beginNext();
      }
    },
  };
}

/** The next work of the tenant whose turn it is; the tenant then goes to the end. */
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
  const detail = `One rule set of this organization is reviewed and ${maxWaiting} more wait already; try again in ${RETRY_AFTER_S} s.`;
  return new Problem('rate_limited', detail, { headers: { 'retry-after': String(RETRY_AFTER_S) } });
}
