import type { HeldFile } from '@leeward/engine/organizations';

/** A view and its files, which other views may share. */
export interface View {
  readonly heldFiles: readonly HeldFile<object>[];
}

/** A cache of views by organization with a limit of memory; the view used longest ago is dropped first. */
export interface KeptViews<V extends View> {
  /** The view with this stamp. It becomes the most recently used one. */
  get(organizationId: string, stamp: string): V | undefined;
  set(organizationId: string, stamp: string, view: V, ownBytes: number): void;
  delete(organizationId: string): void;
  /** Estimated memory of all views; shared files count once. */
  readonly bytes: number;
}

interface Entry<V> {
  readonly stamp: string;
  readonly view: V;
  readonly ownBytes: number;
}

export function createKeptViews<V extends View>(maxBytes: number): KeptViews<V> {
  const views = new Map<string, Entry<V>>();
  const holders = new Map<object, number>();
  let bytes = 0;
  const drop = (organizationId: string) => {
    const entry = views.get(organizationId);
    if (!entry) return;
    views.delete(organizationId);
    bytes -= entry.ownBytes;
    for (const file of new Set(entry.view.heldFiles)) {
      const left = holders.get(file)! - 1;
      if (left > 0) holders.set(file, left);
      else {
        holders.delete(file);
        bytes -= file.bytes;
      }
    }
  };
  return {
    get(organizationId, stamp) {
      const entry = views.get(organizationId);
      if (entry?.stamp !== stamp) return undefined;
      views.delete(organizationId);
      views.set(organizationId, entry);
      return entry.view;
    },
    set(organizationId, stamp, view, ownBytes) {
      drop(organizationId);
      views.set(organizationId, { stamp, view, ownBytes });
      bytes += ownBytes;
      for (const file of new Set(view.heldFiles)) {
        const holding = holders.get(file) ?? 0;
        if (holding === 0) bytes += file.bytes;
        holders.set(file, holding + 1);
      }
      // The new view is in use, even if it exceeds the limit alone.
      for (const other of views.keys()) {
        if (bytes <= maxBytes || other === organizationId) break;
        drop(other);
      }
    },
    delete: drop,
    get bytes() {
      return bytes;
    },
  };
}
