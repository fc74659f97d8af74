import type { CarrierRules } from '../verdict/verdict-of.ts';
import { type Carrier, versionOn } from './versions.ts';

/** A stretch of effective dates within one year in which the same versions apply. */
export interface Era {
  readonly effectiveYear: number;
  /** By place in the catalog's carriers. */
  readonly versions: readonly (CarrierRules | undefined)[];
}

/** Eras kept at a time. */
const ERAS_KEPT = 8;

/** Finds the era of an effective date; the same object for every date of the era. */
export function createEras(carriers: readonly Carrier[]): (effectiveDate: string) => Era {
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
  return (effectiveDate) => {
    if (last && effectiveDate === lastDate) return last;
    const index = borders.filter((border) => border <= effectiveDate).length;
    const effectiveYear = Number(effectiveDate.slice(0, 4));
    const key = `${effectiveYear} ${index}`;
    let era = eras.get(key);
    if (!era) {
      era = { effectiveYear, versions: carriers.map((carrier) => versionOn(carrier, effectiveDate)) };
      if (eras.size >= ERAS_KEPT) eras.delete(eras.keys().next().value!);
      eras.set(key, era);
    }
    lastDate = effectiveDate;
    last = era;
    return era;
  };
}
