import { BookFileError } from '../source/book-file-error.ts';
import type { BookPlan } from './book-plan.ts';

/** A plan as it is written: one line a part. */
export function writePlan(plan: BookPlan): string {
  const { parts, ...rest } = plan;
  const head = JSON.stringify(rest, null, 2).replace(/\n}$/, '');
  return `${head},\n  "parts": [\n${parts.map((part) => `    ${JSON.stringify(part)}`).join(',\n')}\n  ]\n}\n`;
}

/** Reads what `writePlan` wrote. Throws a `BookFileError` for anything else. */
export function readPlan(text: string, name: string): BookPlan {
  let plan: BookPlan;
  try {
    plan = JSON.parse(text) as BookPlan;
  } catch (error) {
    throw new BookFileError(`${name} is no plan: ${(error as Error).message}.`);
  }
  const isPlan = plan?.version === 1 && Array.isArray(plan.parts) && Array.isArray(plan.inputs);
  if (!isPlan) throw new BookFileError(`${name} is no plan of this version; make it anew with leeward book plan.`);
  return plan;
}
