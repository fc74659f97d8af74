import type { Fault, Property, Warning } from '@leeward/engine';

/** A row read by itself. */
export type ReadRowResult =
  | { readonly ok: true; readonly property: Property; readonly warnings: readonly Warning[] }
  | { readonly ok: false; readonly faults: readonly Fault[] };

/**
 * Reads a request body as HTTP reads it, places and distances included. A port: `@leeward/http` has `readHome`, and whoever judges
 * books without places may hand in `parseRequest`. Throws only where the whole book cannot go on.
 */
export type ReadRow = (body: unknown) => Promise<ReadRowResult>;
