import { isObject } from '@leeward/terms';
import { CommandError } from '../command-error.ts';

/** Adds options such as `hurricane=5%`, `all_other_perils=2,500`, `water_backup=excluded` or `roof=none` to a request for quotes. */
export async function withOptions(request: unknown, options: readonly string[]): Promise<unknown> {
  // Loads the store and its database: only for options.
  const { inclusions, settlements } = await import('@leeward/quotes');
  const requested = Object.fromEntries(options.map((text) => readOption(text, inclusions, settlements)));
  const fields = isObject(request) ? (request as { readonly fields?: unknown }).fields : undefined;
  const earlier = isObject(fields) ? (fields as { readonly requested_coverages?: object }).requested_coverages : {};
  return {
    ...(isObject(request) ? request : {}),
    fields: { ...(isObject(fields) ? fields : {}), requested_coverages: { ...earlier, ...requested } },
  };
}

/** The service checks the code and the bounds. */
function readOption(
  text: string,
  inclusions: readonly string[],
  settlements: readonly string[],
): [code: string, value: object | null] {
  const [, code, value = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const word = value.toLowerCase().replaceAll(/[\s-]/g, '_');
  const number = Number(value.replace(/[$,%\s]/g, ''));
  if (code !== undefined) {
    if (word === 'none') return [code, null];
    if (settlements.includes(word)) return [code, { settlement: word }];
    if (inclusions.includes(word)) return [code, { inclusion: word }];
    if (Number.isFinite(number)) return [code, value.trim().endsWith('%') ? { percent: number } : { amount: number }];
  }
  throw new CommandError(
    `--option is ${JSON.stringify(text)}; give code=value: a percentage (hurricane=5%), dollars (all_other_perils=2500), ${[...inclusions, ...settlements].join(', ')}, or none to remove it.`,
  );
}
