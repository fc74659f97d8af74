import type { Rule } from '@leeward/engine';
import {
  type Box,
  difference,
  intersection,
  isEmpty,
  merged,
  openParts,
  PLACE,
  type Term,
  widestTerms,
} from '@leeward/engine/compiled';
import { type Allowance, covered, meet, subtract, wholeBox } from '../finding/boxes.ts';
import { inPlaces, type JointProgram, type OwnedTerm, type Side } from './joint-program.ts';

/** How an answer moves. Accepted is eligible or referral: not declined. */
export const changes = [
  'newly_declined',
  'newly_accepted',
  'newly_referred',
  'no_longer_referred',
  'newly_offered',
  'no_longer_offered',
] as const;
/** A way in which an answer moves. */
export type Change = (typeof changes)[number];

/** Homes whose answer moves in one way because of one rule: those of a box that are in none of `except`. */
export interface Region {
  readonly change: Change;
  readonly box: Term;
  /** Boxes of other rules, for which the answer stays as it was or is another. */
  readonly except: readonly Term[];
  /** Of those, the ones that meet the box. */
  readonly touching: readonly Term[];
  /** A part of the box that no exception meets. */
  readonly open: Box;
  /** What is behind it: a rule or moratorium by its id, or where the programs write. */
  readonly kind: OwnedTerm['kind'];
  readonly id: string;
  readonly rule: Rule | undefined;
  /** Whether it stands in the new file (it declines now) or in the old one (it declined before). */
  readonly side: 'older' | 'newer';
}

export interface ChangedRegions {
  readonly regions: readonly Region[];
  /** Rules for which the search ran out of its boxes. */
  readonly ranOut: readonly string[];
}

/** Pieces that one box may be cut into before the rest is said as an exception. */
const MAX_PIECES = 24;

/** All homes whose status differs between two versions, as sets: a home is in one of them or moves nowhere. */
export function changedRegions({ program, older, newer }: JointProgram, allowance: Allowance): ChangedRegions {
  const regions: Region[] = [];
  const ranOut = new Set<string>();
  const { full } = program.place;
  const fullOf = (axis: number) => (axis === PLACE ? full : program.axes[axis]!.axis.full);
  const both = intersection(older.offered, newer.offered);
  const whole = wholeBox(program);

  const search = (
    change: Change,
    owned: readonly OwnedTerm[],
    against: readonly Term[],
    side: Region['side'],
  ): void => {
    const except = widestTerms(against);
    for (const terms of byOwner(owned)) {
      const { kind, id, rule } = terms[0]!;
      const pieces: Term[] = [];
      for (const { term } of terms) {
        const placed = inPlaces(term, both, full);
        if (placed) pieces.push(...withoutWithin(placed, except, fullOf));
      }
      for (const box of merged(widestTerms(pieces), fullOf)) {
        const start = meet(whole, box);
        if (!start) continue;
        const found = covered(start, except, allowance);
        if (found === 'yes') continue;
        if (found === 'unknown') {
          ranOut.add(id === '' ? kind : id);
          continue;
        }
        const touching = except.filter((term) => openParts(term, start) !== undefined);
        regions.push({ change, box, except, touching, open: found.open, kind, id, rule, side });
      }
    }
  };
  const terms = (owned: readonly OwnedTerm[]) => owned.map((each) => each.term);
  const declinedAtAll = [...terms(older.declining), ...terms(newer.declining)];
  search('newly_declined', newer.declining, terms(older.declining), 'newer');
  search('newly_accepted', older.declining, terms(newer.declining), 'older');
  search('newly_referred', newer.referring, [...declinedAtAll, ...terms(older.referring)], 'newer');
  search('no_longer_referred', older.referring, [...declinedAtAll, ...terms(newer.referring)], 'older');

  const offered = (change: Change, here: Side, there: Side, side: Region['side']): void => {
    const places = difference(here.offered, there.offered);
    if (isEmpty(places)) return;
    const box: Term = [{ axis: PLACE, cells: places, leaves: [] }];
    const open = meet(whole, box)!;
    regions.push({ change, box, except: [], touching: [], open, kind: 'territory', id: '', rule: undefined, side });
  };
  offered('newly_offered', newer, older, 'newer');
  offered('no_longer_offered', older, newer, 'older');
  return { regions, ranOut: [...ranOut] };
}

function byOwner(owned: readonly OwnedTerm[]): OwnedTerm[][] {
  const groups = new Map<string, OwnedTerm[]>();
  for (const each of owned) {
    // A moratorium and a rule may share a name.
    const key = `${each.kind} ${each.id}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()];
}

/**
 * A box without those others that can be taken off it on its own axes, so that words stay short; what is
 * tested on further axes stays an exception.
 */
function withoutWithin(term: Term, others: readonly Term[], fullOf: (axis: number) => Term[number]['cells']): Term[] {
  const axes = new Set(term.map(({ axis }) => axis));
  let pieces: Term[] = [term];
  for (const other of others) {
    const next: Term[] = [];
    for (const piece of pieces) {
      const parts = new Map(piece.map((part) => [part.axis, part.cells]));
      const box: Box = [];
      for (const { axis } of other) (box as (Box[number] | undefined)[])[axis] = parts.get(axis) ?? fullOf(axis);
      const open = openParts(other, box);
      if (open === undefined) next.push(piece);
      // Everything of the piece lies in the other: nothing is left.
      else if (open.length === 0) continue;
      else if (open.every(({ axis }) => axes.has(axis) || axis === PLACE)) next.push(...subtract(piece, open, fullOf));
      else next.push(piece);
    }
    if (next.length > MAX_PIECES) continue;
    pieces = next;
  }
  return pieces;
}
