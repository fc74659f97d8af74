import type { SkipCode } from '../catalog/carrier-catalog.ts';

/** Estimates of premiums, lowest first. */
export interface Indications {
  readonly indications: readonly {
    readonly carrier_key: string;
    readonly carrier: string;
    readonly form_type: string;
    /** For one year with fees and taxes, with neutral values for the missing fields. */
    readonly premium: string;
    readonly min: string;
    readonly max: string;
    readonly missing_fields: readonly string[];
  }[];
  /** Appointed carriers by form type; with a skip code if a quote of this home does not call the carrier. */
  readonly carriers: readonly {
    readonly carrier_key: string;
    readonly form_type: string;
    readonly skip_code: SkipCode | null;
  }[];
}
