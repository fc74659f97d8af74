import type { Property, PropertyLocation } from '@leeward/engine';
import type { HazardEvent } from '@leeward/engine/events';

/** Rule sets for one part of the format, and homes to decide. */
export interface Topic {
  readonly name: string;
  /** Versions of one carrier, as files. */
  readonly files: readonly Record<string, unknown>[];
  readonly homes: readonly HomeOfTopic[];
}

/** A home. Default: HO3 in Harris County, Texas, on 20 November 2026. */
export interface HomeOfTopic {
  readonly about: string;
  /** Values, bounds or alternative words, by field. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Dates and sources of values, by field, set or list. */
  readonly evidence?: Readonly<Record<string, { readonly asOf?: string; readonly source?: string }>>;
  readonly state?: string;
  /** Names of the possible counties. An explicit undefined means any county of the state. */
  readonly counties?: readonly string[] | undefined;
  readonly policyType?: string;
  readonly asOf?: string;
  readonly effectiveDate?: string;
  /** @default false */
  readonly isLocated?: boolean;
  /** @default unknown */
  readonly location?: PropertyLocation;
  /** @default unknown */
  readonly events?: readonly HazardEvent[];
  /** Ranges of measured distances, for rule sets with a certainty. @default none */
  readonly rangesByCertainty?: Property['rangesByCertainty'];
  /** An organization's override of the carrier. */
  readonly override?: Record<string, unknown>;
}

export const between = (min: number, max: number) => ({ kind: 'between', min, max });
export const oneOf = (...words: string[]) => ({ kind: 'one of', words });

/** A file of one program, HO3 and HO5 in Texas. */
export function file(
  rules: readonly Record<string, unknown>[],
  rest: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> {
  return {
    format: 1,
    carrier: { key: 'corpus', name: 'Corpus Mutual' },
    line: 'home',
    version: '1',
    effective: { from: '2026-01-01', until: null },
    rules,
    programs: [{ id: 'texas', policy_types: ['ho3', 'ho5'], states: ['tx'], rules: [] }],
    ...rest,
  };
}

export const test = (fact: string, operator: string, value: unknown) => ({ fact, operator, value });
