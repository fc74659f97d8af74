import type { Fault, UnderwritingRequest, Vocabulary } from '@leeward/engine';
import { type DistancePorts, readHome } from '@leeward/http';
import { inOrder } from '../rows/in-order.ts';
import { limitAtOnce } from '../rows/limit-at-once.ts';
import type { HomeRow } from './open-home-rows.ts';

/** A policy of a book with all that is known of it, or every fault of its row. */
export type BookHome = { readonly line: number; readonly text: string } & (
  | { readonly request: UnderwritingRequest; readonly faults?: undefined }
  | { readonly request?: undefined; readonly faults: readonly Fault[] }
);

export interface ReadBookHomesOptions {
  readonly asOf: Date;
  /** One for all; left out, the date of `asOf` in each home's state. A row's own would make its ages another's. */
  readonly effectiveDate?: string | undefined;
  readonly vocabulary?: Vocabulary;
  readonly distance: () => Promise<DistancePorts>;
}

/** Homes taken ahead, and addresses looked up at once. */
const WINDOW = 1_024;
const MAX_LOOK_UPS_AT_ONCE = 8;

/** Reads the rows of a book as HTTP reads requests, in their order, all as of one instant. */
export async function* readBookHomes(
  rows: AsyncIterable<HomeRow>,
  { asOf, effectiveDate, vocabulary, distance }: ReadBookHomesOptions,
): AsyncGenerator<BookHome> {
  const dates = { as_of: asOf.toISOString(), effective_date: effectiveDate };
  const inTurn = limitAtOnce(MAX_LOOK_UPS_AT_ONCE);
  const read = async (row: HomeRow): Promise<BookHome> => {
    const { line, text, fault } = row;
    if (fault) return { line, text, faults: [{ path: '', ...fault }] };
    const { body } = row;
    const isHome = typeof body === 'object' && body !== null && !Array.isArray(body);
    const options = { now: asOf, distance, ...(vocabulary ? { vocabulary } : {}) };
    const work = () => readHome(isHome ? { ...body, ...dates } : body, options);
    const home = await (isHome && 'address' in body ? inTurn(work) : work());
    return home.ok ? { line, text, request: home.request } : { line, text, faults: home.faults };
  };
  for await (const homes of inOrder(rows, read, WINDOW)) yield* homes;
}
