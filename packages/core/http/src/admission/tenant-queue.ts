import { Queue } from './queue.ts';

/** Waiting work of tenants, and the work that was done for each. */
export interface TenantQueue {
  /** Number of waiting tickets. */
  readonly size: number;
  /**
   * Waits for a slice. Resolves with false if the work is refused, which happens only to work that is still to begin.
   *
   * @param isBegun true if the work goes on, false if it is still to begin.
   */
  wait(tenant: string, isBegun: boolean, now: number): Promise<boolean>;
  /** Removes the ticket that is next. `start` resolves its promise. */
  takeNext(now: number): { readonly tenant: string; start(): void };
  /** Charges a tenant for work that was done for it. */
  charge(tenant: string, workMs: number, now: number): void;
  /** Takes the time of a halt off the waiting times. Until `recoveredMs` all work is accepted. */
  forgiveHalt(haltedMs: number, now: number, recoveredMs: number): void;
}

export interface TenantQueueOptions {
  /** Work that a tenant can save up while it is idle, in ms. */
  readonly savedMs: number;
  /** Time that work may wait to begin, in ms. */
  readonly maxWaitMs: number;
}

interface Ticket {
  sinceMs: number;
  /** Number of tickets of the tenant that waited to begin when this one came. */
  readonly ahead: number;
  readonly isBegun: boolean;
  readonly resolve: (isAccepted: boolean) => void;
}

interface Tenant {
  readonly name: string;
  readonly tickets: Queue<Ticket>;
  /** Number of tickets that are still to begin. */
  beginning: number;
  /** Virtual time: work done for the tenant, on the scale of `leastMs`. */
  spentMs: number;
  /** Time since which its work waits too long; undefined while it does not. */
  lateSinceMs: number | undefined;
  lastLateMs: number;
}

/** A tenant is late only after this many maximum waits: one large request or a burst is not an overload. */
const FORGIVEN_WAITS = 3;
/** Number of tickets of a tenant that are never refused: a few callers on a slow machine are not an overload. */
const ALWAYS_WAITING = 32;
/** Idle tenants kept before a sweep. */
const MAX_TENANTS_KEPT = 64;

/**
 * Start-time fair queueing (Goyal et al. 1996): the tenant with the least work is next, ties by waiting time. Tenants
 * share work, not slices, so neither long steps nor many requests exceed a tenant's quota. An idle tenant saves at most
 * `savedMs`, and owes no work done while others were idle.
 *
 * Tickets of one tenant keep their order. If a tenant's tickets have waited longer than `maxWaitMs` for a while, the
 * late ones are refused. Other tenants are not affected.
 */
export function createTenantQueue({ savedMs, maxWaitMs }: TenantQueueOptions): TenantQueue {
  const tenants = new Map<string, Tenant>();
  /** Tenants with tickets, longest waiting first. */
  const waitingTenants = new Set<Tenant>();
  let tenantsBeforeSweep = MAX_TENANTS_KEPT;
  /** Virtual time: the least work of a tenant when its ticket was taken. It never sinks. */
  let minMs = 0;
  let size = 0;
  let recoveredAtMs = Number.NEGATIVE_INFINITY;

  function tenantOf(name: string, now: number): Tenant {
    let tenant = tenants.get(name);
    if (!tenant) {
      if (tenants.size >= tenantsBeforeSweep) sweep(now);
      tenant = {
        name,
        tickets: new Queue(),
        beginning: 0,
        spentMs: minMs - savedMs,
        lateSinceMs: undefined,
        lastLateMs: Number.NEGATIVE_INFINITY,
      };
      tenants.set(name, tenant);
    }
    return tenant;
  }

  /** Drops tenants that do not differ from a new one. */
  function sweep(now: number): void {
    for (const [name, tenant] of tenants) {
      const hasHistory = tenant.spentMs > minMs - savedMs || now - tenant.lastLateMs <= maxWaitMs;
      if (tenant.tickets.length === 0 && !hasHistory) tenants.delete(name);
    }
    tenantsBeforeSweep = Math.max(MAX_TENANTS_KEPT, 2 * tenants.size);
  }

  function isTooLate(tenant: Tenant, { sinceMs, ahead }: Ticket, now: number): boolean {
    if (now < recoveredAtMs) {
      tenant.lateSinceMs = undefined;
      return false;
    }
    if (now - sinceMs <= maxWaitMs) {
      // The last ticket came in time: the next one finds an empty queue.
      if (tenant.beginning === 0) tenant.lateSinceMs = undefined;
      return false;
    }
    tenant.lateSinceMs ??= now;
    tenant.lastLateMs = now;
    return ahead >= ALWAYS_WAITING && now - tenant.lateSinceMs >= FORGIVEN_WAITS * maxWaitMs;
  }

  return {
    get size() {
      return size;
    },
    wait(name, isBegun, now) {
      const tenant = tenantOf(name, now);
      const { tickets, beginning } = tenant;
      if (tickets.length === 0) {
        tenant.spentMs = Math.max(tenant.spentMs, minMs - savedMs);
        waitingTenants.add(tenant);
      }
      if (!isBegun) {
        if (beginning === 0 && now - tenant.lastLateMs > maxWaitMs) tenant.lateSinceMs = undefined;
        tenant.beginning++;
      }
      size++;
      return new Promise((resolve) => tickets.push({ sinceMs: now, ahead: beginning, isBegun, resolve }));
    },
    takeNext(now) {
      let next: Tenant | undefined;
      for (const each of waitingTenants) if (next === undefined || each.spentMs < next.spentMs) next = each;
      const tenant = next!;
      minMs = Math.max(minMs, tenant.spentMs);
      const ticket = tenant.tickets.shift();
      size--;
      // Moved to the end, behind tenants with the same work.
      waitingTenants.delete(tenant);
      if (tenant.tickets.length > 0) waitingTenants.add(tenant);
      if (!ticket.isBegun) tenant.beginning--;
      const isAccepted = ticket.isBegun || !isTooLate(tenant, ticket, now);
      return { tenant: tenant.name, start: () => ticket.resolve(isAccepted) };
    },
    charge(name, workMs, now) {
      const tenant = tenantOf(name, now);
      tenant.spentMs = Math.max(tenant.spentMs, minMs - savedMs) + workMs;
      // Without waiting tenants, this work is free.
      if (size === 0) minMs = Math.max(minMs, tenant.spentMs);
    },
    forgiveHalt(haltedMs, now, recoveredMs) {
      recoveredAtMs = Math.max(recoveredAtMs, recoveredMs);
      for (const { tickets } of waitingTenants) {
        for (const ticket of tickets) ticket.sinceMs = Math.min(now, ticket.sinceMs + haltedMs);
      }
    },
  };
}
