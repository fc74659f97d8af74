/** A run of a spec or example of json-rules-engine. */
export interface RecordedRun {
  /** The file with the spec or example. */
  readonly place: string;
  readonly rules: readonly { readonly event?: { readonly type: string } }[];
  /** Shared conditions, by name. */
  readonly conditions?: Readonly<Record<string, unknown>>;
  /** Values of facts without parameters, and at paths in them: `account$.balance`. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** The result of each rule; null if it was not evaluated. */
  readonly results: readonly (boolean | null)[];
}
