import type { RequestField } from '@leeward/engine';
import type { WireDecision } from '../service/wire.ts';

/** A field, and how many answers it alone would settle. */
export interface RankedField {
  readonly field: RequestField;
  readonly settles: number;
}

export interface RankedFields {
  /** Given already, in the order of the engine. */
  readonly known: readonly RankedField[];
  /** The most useful questions, most useful first. */
  readonly next: readonly RankedField[];
  /** What some status hangs on besides. */
  readonly later: readonly RankedField[];
  /** Not given, and no status hangs on it. */
  readonly idle: readonly RankedField[];
}

const MAX_NEXT = 4;

/** Orders the form by what the last answer says is worth asking. Without one, all are worth it. */
export function rankFields(
  fields: readonly RequestField[],
  settled: ReadonlySet<string>,
  decision: WireDecision | undefined,
): RankedFields {
  const settles = new Map(decision?.next_questions.map(({ field, would_settle }) => [field, would_settle]));
  const ranked = fields.map((field) => ({ field, settles: settles.get(field.name) ?? 0 }));
  const known = ranked.filter(({ field }) => settled.has(field.name)).map(({ field }) => ({ field, settles: 0 }));
  const open = ranked.filter(({ field }) => !settled.has(field.name));
  if (!decision) return { known, next: open.slice(0, MAX_NEXT), later: open.slice(MAX_NEXT), idle: [] };
  const order = [...settles.keys()];
  const asked = open
    .filter(({ field }) => settles.has(field.name))
    .sort((a, b) => order.indexOf(a.field.name) - order.indexOf(b.field.name));
  return {
    known,
    next: asked.slice(0, MAX_NEXT),
    later: asked.slice(MAX_NEXT),
    // A distance that is unknown hangs on the address while that is asked for.
    idle: open.filter(
      ({ field }) => !settles.has(field.name) && !(settles.has('address') && field.name.startsWith('distance_to_')),
    ),
  };
}
