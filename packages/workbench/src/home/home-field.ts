/** A field of the form: a number within bounds, or one of some words. */
export type HomeField = {
  /** As a request names it. */
  readonly name: string;
  readonly label: string;
  readonly unit?: string;
} & (
  | { readonly words: readonly string[] }
  | { readonly words?: undefined; readonly min: number; readonly max: number; readonly integer: boolean }
);
