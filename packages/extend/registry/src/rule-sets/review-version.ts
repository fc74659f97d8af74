import { AdministrationError } from '@leeward/accounts';
import { formatValue, type RuleSetRecord, unprintable } from '@leeward/accounts/operations';
import { type Fault, isObject, measureJson } from '@leeward/terms';
import type { HomesCompared, HomesReplayed, RuleSetReview } from '../rule-set-review.ts';
import { type ComparedFiles, replayBook, replaySaved, sourceOf, takeTurn } from './replay-homes.ts';
import type { RegistryCall } from './services.ts';

/** Maximum number stored, of findings and of changes. */
const MAX_FINDINGS = 300;

export interface ReviewedVersion {
  readonly identity: Pick<
    RuleSetRecord,
    'carrier_key' | 'carrier' | 'version' | 'effective_from' | 'effective_until' | 'sha256'
  >;
  readonly review: RuleSetReview;
}

/** Serializes once: the measured text is checked and stored. */
export function readSent(value: unknown, path: string): { readonly text: string; readonly value: unknown } {
  const measured = measureJson(value, path);
  if (!('text' in measured)) throw new AdministrationError('invalid_request', measured.faults);
  return { text: measured.text, value: JSON.parse(measured.text) };
}

type ReviewedFile = ComparedFiles & { readonly cases: unknown; readonly book?: readonly unknown[] | undefined };

/** @throws {AdministrationError} `invalid_request` with all faults. */
export function reviewVersion(
  call: RegistryCall,
  organizationId: string | null,
  file: ReviewedFile,
): Promise<ReviewedVersion> {
  return takeTurn(call, organizationId, () => reviewNow(call, organizationId, file));
}

async function reviewNow(
  call: RegistryCall,
  organizationId: string | null,
  file: ReviewedFile,
): Promise<ReviewedVersion> {
  const { services, atMs } = call;
  const from = sourceOf(call, organizationId);
  const { ruleSet: proposed, cases, inForce, book } = file;
  const request = { ruleSet: proposed, cases, inForce, atMs, maxFindings: MAX_FINDINGS };
  const reviewed = await services.rules.reviewRuleSet(request, from);
  const faults: Fault[] = reviewed.faults.map((fault) => ({ ...fault, path: `/rule_set${fault.path}` }));
  const { ruleSet, review } = reviewed;
  for (const [path, text] of [
    ['/rule_set/carrier/name', ruleSet?.carrierName],
    ['/rule_set/version', ruleSet?.version],
  ] as const) {
    if (text === undefined || !unprintable.test(text)) continue;
    const message = 'must be one line of printable text, without control characters.';
    faults.push({ path, code: 'unprintable', message });
  }
  if (ruleSet !== undefined && organizationId !== null && services.catalog?.has(ruleSet.carrierKey) === true) {
    const message = `${formatValue(ruleSet.carrierKey)} is a carrier of the catalog: choose another key, or override that one.`;
    faults.push({ path: '/rule_set/carrier/key', code: 'carrier_exists', message });
  }
  faults.push(...otherLine(proposed, inForce));
  if (faults.length > 0) throw new AdministrationError('invalid_request', faults);
  if (ruleSet === undefined || review === undefined) throw new Error('A rule set without faults was not reviewed.');
  const compared = await compareHomes(call, organizationId, { ruleSet: proposed, inForce }, book);
  return {
    identity: {
      carrier_key: ruleSet.carrierKey,
      carrier: ruleSet.carrierName,
      version: ruleSet.version,
      effective_from: ruleSet.effectiveFrom,
      effective_until: ruleSet.effectiveUntil ?? null,
      sha256: ruleSet.sha256,
    },
    review: { ...review, ...compared },
  };
}

/** Versions of a carrier replace each other, so they have one line. */
function otherLine(proposed: unknown, inForce: readonly unknown[] = []): Fault[] {
  const lineOf = (file: unknown) => (isObject(file) && typeof file['line'] === 'string' ? file['line'] : 'home');
  const line = lineOf(proposed);
  const other = inForce.map(lineOf).find((each) => each !== line);
  if (other === undefined) return [];
  const message = `is ${formatValue(line)}, and the carrier is in force in the line ${formatValue(other)}: use a separate carrier key for each line.`;
  return [{ path: '/rule_set/line', code: 'carrier_of_another_line', message }];
}

async function compareHomes(
  call: RegistryCall,
  organizationId: string | null,
  files: ComparedFiles,
  book: readonly unknown[] | undefined,
): Promise<{ saved?: HomesCompared; book?: HomesCompared }> {
  const saved = await replaySaved(call, organizationId, files, 0);
  const ofBook = book && (await replayBook(call, organizationId, files, book));
  return {
    ...(saved.homes > 0 || saved.not_judged.length > 0 ? { saved: countsOf(saved) } : {}),
    ...(ofBook ? { book: countsOf(ofBook) } : {}),
  };
}

function countsOf({ changes, ...counts }: HomesReplayed): HomesCompared {
  return counts;
}
