import type { Fault } from '@leeward/terms';

/** Thrown for invalid rule sets. Contains every fault with its place. */
export class RuleSetError extends Error {
  override readonly name = 'RuleSetError';
  readonly faults: readonly (Fault & { readonly source: string })[];

  constructor(faults: readonly (Fault & { readonly source: string })[]) {
    super(
      [
        `${faults.length} fault${faults.length === 1 ? '' : 's'} in rule sets:`,
        ...faults.map(({ source, path, message }) => `  ${source}${path === '' ? '' : ` at ${path}`}: ${message}`),
      ].join('\n'),
    );
    this.faults = faults;
  }
}
