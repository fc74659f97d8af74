interface Item extends Record<string, unknown> {
  readonly uid?: string;
  readonly grantId?: string;
  consumed?: number;
}

const MAX_ITEMS = 10_000;

/** Makes the store of one sandbox: sessions, codes and access tokens, in memory. It has the methods that `oidc-provider` calls. */
export function createSandboxStore(): new (kind: string) => object {
  const items = new Map<string, { readonly item: Item; readonly endsAtMs: number }>();
  const read = (key: string): Item | undefined => {
    const entry = items.get(key);
    return entry && entry.endsAtMs > Date.now() ? entry.item : undefined;
  };
  return class SandboxStore {
    readonly #kind: string;
    constructor(kind: string) {
      this.#kind = kind;
    }
    async upsert(id: string, item: Item, expiresInSeconds = 3600) {
      // Drops the oldest.
      if (items.size >= MAX_ITEMS) items.delete(items.keys().next().value!);
      items.set(`${this.#kind} ${id}`, { item, endsAtMs: Date.now() + expiresInSeconds * 1000 });
    }
    async find(id: string) {
      return read(`${this.#kind} ${id}`);
    }
    async findByUid(uid: string) {
      for (const [key, { item }] of items) if (key.startsWith(`${this.#kind} `) && item.uid === uid) return read(key);
      return undefined;
    }
    async findByUserCode() {
      return undefined;
    }
    async consume(id: string) {
      const item = read(`${this.#kind} ${id}`);
      if (item) item.consumed = Math.floor(Date.now() / 1000);
    }
    async destroy(id: string) {
      items.delete(`${this.#kind} ${id}`);
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, { item }] of items) if (item.grantId === grantId) items.delete(key);
    }
  };
}
