/** A command line that is run where a package is not installed. */
export interface WithoutPackage {
  readonly name: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  readonly folder: string;
}
