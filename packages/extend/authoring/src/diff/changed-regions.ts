import type { Rule } from '@leeward/engine';
import {
  type Box,
  difference,
  intersection,
  isEmpty,
  mergeTerms,
  openParts,
  PLACE,
  type Term,
  widestTerms,
} from '@leeward/engine/compiled';
import { type Allowance, covered, meet, subtract, wholeBox } from '../finding/boxes.ts';
import { inPlaces, type JointProgram, type OwnedTerm, type Side } from './joint-program.ts';

/**
 * A diff subtracts boxes. Both versions are compiled on the same axes, so each rule is a set of boxes of the same cells. Homes that
 * become ineligible are the declining boxes of the newer version without those of the older; the other changes follow the same way.
 *
 * Each result is a region: the box of one rule, without the boxes of others. Boxes that can be subtracted on the axes of the rule itself
 * are cut off, so that the region has a short description; the others stay as exceptions. Regions do not overlap.
 */

/** Codes of changes of an answer. Accepted means eligible or referral. */
export const changes = [
  'newly_declined',
  'newly_accepted',
  'newly_referred',
  'no_longer_referred',
  'newly_offered',
  'no_longer_offered',
] as const;
/** A change of an answer. */
export type Change = (typeof changes)[number];

/** Homes whose answer changes because of one rule: those in `box` and outside `except`. */
export interface Region {
  readonly change: Change;
  readonly box: Term;
  /** Boxes of other rules. Their homes do not change, or change differently. */
  readonly except: readonly Term[];
  /** The boxes of `except` that overlap the box. */
  readonly touching: readonly Term[];
  /** A part of the box without exceptions. */
  readonly open: Box;
  /** The cause: a rule or moratorium with its `id`, or the territory of the programs. */
  readonly kind: OwnedTerm['kind'];
  readonly id: string;
  readonly rule: Rule | undefined;
  /** The file with the cause: `newer` if it declines now, `older` if it declined before. */
  readonly side: 'older' | 'newer';
}

export interface ChangedRegions {
  readonly regions: readonly Region[];
  readonly ranOut: readonly string[];
}

/** Maximum number of pieces of one box; further subtractions become exceptions. */
const MAX_PIECES = 24;

/** Finds all homes whose status differs between two versions. */
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
      for (const box of mergeTerms(widestTerms(pieces), fullOf)) {
        const start = meet(whole, box);
        if (!start) continue;
        const result = covered(start, except, allowance);
        if (result === 'yes') continue;
        if (result === 'unknown') {
          ranOut.add(id === '' ? kind : id);
          continue;
        }
        const touching = except.filter((term) => openParts(term, start) !== undefined);
        regions.push({ change, box, except, touching, open: result.open, kind, id, rule, side });
      }
    }
  };
  const terms = (owned: readonly OwnedTerm[]) => owned.map((each) => each.term);
  const declinedByEither = [...terms(older.declining), ...terms(newer.declining)];
  search('newly_declined', newer.declining, terms(older.declining), 'newer');
  search('newly_accepted', older.declining, terms(newer.declining), 'older');
  search('newly_referred', newer.referring, [...declinedByEither, ...terms(older.referring)], 'newer');
  search('no_longer_referred', older.referring, [...declinedByEither, ...terms(newer.referring)], 'older');

  const addOffer = (change: Change, one: Side, other: Side, side: Region['side']): void => {
    const places = difference(one.offered, other.offered);
    if (isEmpty(places)) return;
    const box: Term = [{ axis: PLACE, cells: places, leaves: [] }];
    const open = meet(whole, box)!;
    regions.push({ change, box, except: [], touching: [], open, kind: 'territory', id: '', rule: undefined, side });
  };
  addOffer('newly_offered', newer, older, 'newer');
  addOffer('no_longer_offered', older, newer, 'older');
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

/** Subtracts from a term those others that differ from it only on axes of the term or in places. */
export function withoutWithin(
  term: Term,
  others: readonly Term[],
  fullOf: (axis: number) => Term[number]['cells'],
): Term[] {
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
      else if (open.length === 0) continue;
      else if (open.every(({ axis }) => axes.has(axis) || axis === PLACE)) next.push(...subtract(piece, open, fullOf));
      else next.push(piece);
    }
    if (next.length > MAX_PIECES) continue;
    pieces = next;
  }
  return pieces;
}
