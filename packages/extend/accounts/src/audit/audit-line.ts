import { isObject } from '@leeward/terms';
import { type AuditItem, auditItem } from './audit-entry.ts';

/** An entry, or a fault of the line. `isJson`: false for part of a line. */
export type AuditLineReading = { readonly entry: AuditItem } | { readonly fault: string; readonly isJson: boolean };

/**
 * Reads a line of an export or a stream. Lines are compared byte for byte with how they are written: a change that hashes ignore, such as
 * a space or the name of an empty field, is a fault, too.
 *
 * @example
 * const reading = readAuditLine(line);
 */
export function readAuditLine(line: string): AuditLineReading {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { fault: 'is not JSON', isJson: false };
  }
  if (!isObject(value)) return { fault: 'is not a JSON object', isJson: true };
  if (JSON.stringify(value) !== line) return { fault: 'is not written as Leeward writes it', isJson: true };
  const unfamiliar = Object.keys(value).find((key) => !Object.hasOwn(auditItem.shape, key));
  if (unfamiliar !== undefined) {
    return {
      fault: `has the field ${JSON.stringify(unfamiliar.slice(0, 100))}, which entries do not have`,
      isJson: true,
    };
  }
  const result = auditItem.safeParse(value);
  if (result.success) return { entry: value as unknown as AuditItem };
  const [issue] = result.error.issues;
  return { fault: `has no valid ${issue?.path.join('/') || 'entry'}`, isJson: true };
}
