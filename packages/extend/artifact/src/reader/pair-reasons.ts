import type { Manifest } from '../format/manifest.ts';
import type { Kernel } from '../kernel/create-kernel.ts';
import type { RowBatch } from './row-reader.ts';

/** Why a carrier declines or refers a home, or what it needs to know. */
export interface PairReasons {
  /** From 0. */
  readonly row: number;
  /** Key of the carrier. */
  readonly carrier: string;
  /** Rules that hold, in the order of the manifest; rules that may hold if only several together decide. Empty if the status is open. */
  readonly reasons: readonly ArtifactReason[];
  /** For an open status, names of unknown fields of the rules that may decide it. */
  readonly fields: readonly string[];
}

/** A rule, a territory or a moratorium of the manifest. */
export type ArtifactReason = Manifest['rules'][number];

const [SKIP, REFERRAL, NEEDS_INFORMATION, INELIGIBLE] = [255, 2, 3, 4];
const [MAY_HOLD, HOLDS] = [1, 2];

/** @param codes statuses of the kernel, a row after the other */
export function* reasonsOfBatch(
  manifest: Manifest,
  kernel: Kernel,
  batch: RowBatch,
  codes: Uint8Array,
): Iterable<PairReasons> {
  const { carriers, rules, intervals } = manifest;
  const groups = new Map<number, number[]>();
  for (let row = 0; row < batch.rows; row++) {
    if (batch.policyTypes[row] === SKIP) continue;
    const group = batch.intervals[row]! * SKIP + batch.policyTypes[row]!;
    const rows = groups.get(group);
    if (rows) rows.push(row);
    else groups.set(group, [row]);
  }
  const fieldsOf = (possible: readonly ArtifactReason[], carrier: string, policyType: string, row: number) =>
    possible.length > 0 ? unknownFields(possible, manifest, batch, row) : openFacts(manifest, carrier, policyType);
  for (const [group, rows] of groups) {
    const [interval, type] = [Math.floor(group / SKIP), group % SKIP];
    const reasons = intervals[interval]!.types[type]!.reasons.map((place) => rules[place]!);
    const byCarrier = carriers.map((_, carrier) =>
      reasons.flatMap((reason, number) => (reason.carrier === carrier ? [{ reason, number }] : [])),
    );
    const truths = kernel.explain(batch, interval, type);
    for (const row of rows) {
      for (const [carrier, { key }] of carriers.entries()) {
        const status = codes[row * carriers.length + carrier]!;
        if (status !== INELIGIBLE && status !== REFERRAL && status !== NEEDS_INFORMATION) continue;
        const outcome = status === REFERRAL ? 'refer' : 'decline';
        const select = (from: typeof outcome, truth: number) =>
          byCarrier[carrier]!.filter(
            ({ reason, number }) => reason.outcome === from && truths[row * reasons.length + number] === truth,
          ).map(({ reason }) => reason);
        const isOpen = status === NEEDS_INFORMATION;
        const certain = isOpen ? [] : select(outcome, HOLDS);
        const declining = select('decline', MAY_HOLD);
        const possible = isOpen && declining.length === 0 ? select('refer', MAY_HOLD) : select(outcome, MAY_HOLD);
        yield {
          row,
          carrier: key,
          reasons: isOpen ? [] : certain.length > 0 ? certain : possible,
          fields: isOpen ? fieldsOf(possible, key, manifest.policy_types[type]!, row) : [],
        };
      }
    }
  }
}

/** Facts of a carrier that tables do not have. */
function openFacts({ not_compiled: parts }: Manifest, carrier: string, policyType: string): readonly string[] {
  const own = parts.filter((part) => part.carrier === carrier && part.policy_type === policyType);
  return [...new Set(own.flatMap(({ fact }) => fact ?? []))];
}

function unknownFields(
  reasons: readonly ArtifactReason[],
  { inputs }: Manifest,
  batch: RowBatch,
  row: number,
): readonly string[] {
  const fields = new Set<string>();
  for (const { inputs: tested } of reasons) {
    const before = fields.size;
    for (const number of tested)
      if (isUnknown(batch, number, row)) for (const name of namesOf(inputs, number)) fields.add(name);
    const hasCounty = batch.counties[row]! > 0;
    if (!hasCounty && fields.size === before) fields.add('county');
  }
  return [...fields];
}

/** Names of the columns of an input, or of those from which it is computed. */
function namesOf(inputs: Manifest['inputs'], number: number): readonly string[] {
  const { column, needs, kind, name } = inputs[number]!;
  if (kind === 'host') return [name];
  return (needs ?? [column]).map((need) => inputs.find((each) => each.name === need)?.column ?? need);
}

function isUnknown({ inputs }: RowBatch, number: number, row: number): boolean {
  const column = inputs[number];
  if (!column) return true;
  const value = column.values[row]!;
  if (!(column.values instanceof Float64Array)) return value === 0;
  return Number.isNaN(value) || (column.upper !== undefined && column.upper[row] !== value);
}
