/** Takes items from one tenant after the other. */
export interface FairQueue<T> {
  readonly size: number;
  push(tenant: string, item: T): void;
  take(isAllowed: (item: T) => boolean): T | undefined;
  remove(tenant: string, item: T): boolean;
}

/** Round robin: a tenant with one item waits for one item of each other tenant. Items of one tenant keep their order. */
export function createFairQueue<T>(): FairQueue<T> {
  const tenants = new Map<string, Set<T>>();
  let size = 0;
  const drop = (tenant: string, items: Set<T>, item: T): void => {
    items.delete(item);
    size--;
    if (items.size === 0) tenants.delete(tenant);
  };
  return {
    get size() {
      return size;
    },
    push(tenant, item) {
      const items = tenants.get(tenant) ?? new Set<T>();
      tenants.set(tenant, items);
      items.add(item);
      size++;
    },
    take(isAllowed) {
      for (const [tenant, items] of tenants) {
        const item = [...items].find(isAllowed);
        if (item === undefined) continue;
        drop(tenant, items, item);
        if (items.size > 0) {
          tenants.delete(tenant);
          tenants.set(tenant, items);
        }
        return item;
      }
      return undefined;
    },
    remove(tenant, item) {
      const items = tenants.get(tenant);
      if (!items?.has(item)) return false;
      drop(tenant, items, item);
      return true;
    },
  };
}
