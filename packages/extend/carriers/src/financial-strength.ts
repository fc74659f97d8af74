import type { FinancialStrength } from '@leeward/quotes';
import { z } from 'zod';

/** Member of `carrier` in both kinds of files. */
export const financialStrength = z
  .strictObject({
    agency: z.string().min(1).max(100),
    rating: z.string().min(1).max(50),
    as_of: z.iso.date().optional(),
    $comment: z.unknown().optional(),
  })
  .meta({ description: 'Rating of the ability to pay claims, shown in comparisons and proposals.' });

export function readStrength(file: z.infer<typeof financialStrength> | undefined): FinancialStrength | undefined {
  return file && { agency: file.agency, rating: file.rating, asOf: file.as_of };
}
