import type { CarrierRules } from '../verdict/carrier-rules.ts';
import { type Carrier, versionOn } from './versions.ts';

/** A stretch of effective dates within one year in which the same versions apply. */
export interface Era {
  readonly effectiveYear: number;
  /** By place in the catalog's carriers. */
  readonly versions: readonly (CarrierRules | undefined)[];
}

/** Eras kept at a time, beside those that were prepared. */
const ERAS_KEPT = 8;
/** Prepared ones that stay whatever else is asked for: whoever walks through the years takes nobody's today away. */
const PREPARED_KEPT = 4;

export interface Eras {
  /** The era of an effective date; the same object for every date of the era, for as long as it is kept. */
  of(effectiveDate: string): Era;
  /** The same, which stays until others are prepared. */
  prepared(effectiveDate: string): Era;
}

/** Finds eras; those not asked for the longest are dropped first. */
export function createEras(carriers: readonly Carrier[]): Eras {
  const borders = [
    ...new Set(
      carriers.flatMap((carrier) =>
        carrier.versions.flatMap(({ ruleSet }) => [
          ruleSet.effectiveFrom,
          ruleSet.effectiveUntil ?? ruleSet.effectiveFrom,
        ]),
      ),
    ),
  ].sort();
  const eras = new Map<string, Era>();
  let lastDate = '';
  let last: Era | undefined;
  const prepared = new Set<string>();
  const find = (effectiveDate: string, isPrepared: boolean): Era => {
    if (last && effectiveDate === lastDate && !isPrepared) return last;
    const index = borders.filter((border) => border <= effectiveDate).length;
    const effectiveYear = Number(effectiveDate.slice(0, 4));
    const key = `${effectiveYear} ${index}`;
    const era = eras.get(key) ?? {
      effectiveYear,
      versions: carriers.map((carrier) => versionOn(carrier, effectiveDate)),
    };
    // Moved to the end: the first is the one that was asked for the longest ago.
    eras.delete(key);
    eras.set(key, era);
    if (isPrepared) {
      prepared.add(key);
      if (prepared.size > PREPARED_KEPT) prepared.delete(prepared.values().next().value!);
    }
    if (eras.size > ERAS_KEPT + prepared.size) {
      for (const each of eras.keys()) {
        if (prepared.has(each)) continue;
        eras.delete(each);
        break;
      }
    }
    lastDate = effectiveDate;
    last = era;
    return era;
  };
  return {
    of: (effectiveDate) => find(effectiveDate, false),
    prepared: (effectiveDate) => find(effectiveDate, true),
  };
}
