import { isGiven } from '@leeward/terms';

/** Adds to a row as a request when it is asked: the date of the whole book stands before that of the row, its instant behind. */
export function askedOf(asOf: Date, effectiveDate: string | undefined) {
  const date = effectiveDate === undefined ? {} : { effective_date: effectiveDate };
  const instant = asOf.toISOString();
  return (body: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
    ...body,
    ...date,
    as_of: isGiven(body['as_of']) ? body['as_of'] : instant,
  });
}
