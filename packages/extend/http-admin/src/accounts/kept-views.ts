import type { HeldFile } from '@leeward/engine';

/** What is kept, and what of it others may hold as well. */
export interface View {
  readonly held: readonly HeldFile<object>[];
}

/** Views of organizations, the longest not asked for dropped first when all together take more memory than they may. */
export interface KeptViews<V extends View> {
  /** The view kept under this stamp; it is the last to be dropped now. */
  get(organizationId: string, stamp: string): V | undefined;
  set(organizationId: string, stamp: string, view: V, ownBytes: number): void;
  delete(organizationId: string): void;
  /** What all take, as estimated: what several hold counts once. */
  readonly bytes: number;
}

interface Kept<V> {
  readonly stamp: string;
  readonly view: V;
  readonly ownBytes: number;
}

export function createKeptViews<V extends View>(maxBytes: number): KeptViews<V> {
  const views = new Map<string, Kept<V>>();
  const holders = new Map<object, number>();
  let bytes = 0;
  const drop = (organizationId: string) => {
    const kept = views.get(organizationId);
    if (!kept) return;
    views.delete(organizationId);
    bytes -= kept.ownBytes;
    for (const file of new Set(kept.view.held)) {
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
      const kept = views.get(organizationId);
      if (kept?.stamp !== stamp) return undefined;
      views.delete(organizationId);
      views.set(organizationId, kept);
      return kept.view;
    },
    set(organizationId, stamp, view, ownBytes) {
      drop(organizationId);
      views.set(organizationId, { stamp, view, ownBytes });
      bytes += ownBytes;
      for (const file of new Set(view.held)) {
        const holding = holders.get(file) ?? 0;
        if (holding === 0) bytes += file.bytes;
        holders.set(file, holding + 1);
      }
      // The one just made is in use, whatever it takes.
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
