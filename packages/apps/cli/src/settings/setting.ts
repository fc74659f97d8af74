/** Inputs of computed defaults. */
export interface KnownSettings {
  readonly demo: boolean;
  /** The effective text of another setting by key. Undefined if unset. */
  text(key: string): string | undefined;
}

/** One thing that can be set: on the command line, in the environment, or in a file, the former first. */
export interface Setting<Value> {
  /** Its environment variable. */
  readonly variable: string;
  /** Its option on the command line, where it has one: `--port`. */
  readonly option?: string;
  readonly description: string;
  /** The default, as a user would write it. */
  readonly usual?: string | ((settings: KnownSettings) => string | undefined);
  /** Never printed: the whole of it, or what a URL, or each URL of a list, holds of it. */
  readonly secret?: 'whole' | 'url' | 'urls';
  /** In a file, a relative path starts from the file's own folder. */
  readonly path?: 'folder' | 'database' | 'coastlines' | 'lines';
  /**
   * The value of a text. Throws a `RangeError` whose message goes on from the name: `is "x"; give a number.` It never
   * repeats a secret.
   */
  read(text: string): Value;
}

/** Lets a table of settings keep the type of each value. */
export function setting<Value>(definition: Setting<Value>): Setting<Value> {
  return definition;
}
