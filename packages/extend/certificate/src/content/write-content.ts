import { compassPoint } from '@leeward/coast';
import type { Vocabulary } from '@leeward/engine';
import { labelOf } from '@leeward/engine/vocabulary';
import type { DecisionWithShores, MeasuredShore, WireDecision, WireVerdict } from '@leeward/http';
import { wordOf } from '@leeward/terms';
import type {
  CertificateContent,
  CertificateDistance,
  CertificateRule,
  CertificateTest,
  CertificateValue,
  CertificateVerdict,
} from './certificate-schema.ts';
import { countyText } from './home-text.ts';
import { type SourcesOfValues, sourcesOfValues, valueText } from './value-sources.ts';

/** The statements of a certificate beyond the decision. */
export interface Heading {
  readonly certificateId: string;
  readonly issuedAt: Date;
  readonly issuer: string | null;
  readonly preparedFor: string | null;
  readonly reference: string | null;
  readonly picture: CertificateContent['picture'];
}

/** The vocabulary of the decision, and the names of facts that the host computes. */
export interface ContentTerms {
  readonly vocabulary: Vocabulary;
  readonly hostFacts: ReadonlySet<string>;
}

/** Writes the content of a certificate without letters. */
export function writeContent(
  { decision, shores }: DecisionWithShores,
  heading: Heading,
  { vocabulary, hostFacts }: ContentTerms,
): CertificateContent {
  const { trace_id, as_of, effective_date, organization_id, versions, home, counts, not_offered, warnings, notice } =
    decision;
  const sources = sourcesOfValues(decision, hostFacts);
  const writer = { vocabulary, sources };
  return {
    certificate_id: heading.certificateId,
    trace_id,
    issued_at: heading.issuedAt.toISOString(),
    issuer: heading.issuer,
    prepared_for: heading.preparedFor,
    reference: heading.reference,
    line: vocabulary.line,
    as_of,
    effective_date,
    organization_id,
    ...(versions ? { versions } : {}),
    home,
    location: decision.distances?.location ?? null,
    values: writeValues(decision, writer),
    distances: (decision.distances?.facts ?? []).map((fact) => writeDistance(fact, shores, sources)),
    counts,
    verdicts: [...decision.carriers, ...decision.declined].map((verdict) => writeVerdict(verdict, writer)),
    ...(not_offered ? { not_offered } : {}),
    picture: heading.picture,
    warnings,
    notice,
  };
}

interface Writer {
  readonly vocabulary: Vocabulary;
  readonly sources: SourcesOfValues;
}

function writeValues({ home }: WireDecision, { vocabulary, sources }: Writer): CertificateValue[] {
  return Object.entries(home)
    .filter(([field, value]) => value !== null && !field.startsWith('x_') && field !== 'footprint')
    .map(([field, value]) => ({
      field,
      label: labelOf(field, vocabulary),
      value,
      text: textOfField(field, value, vocabulary),
      source: sources.ofField(field),
    }));
}

function textOfField(field: string, value: unknown, vocabulary: Vocabulary): string {
  if (field === 'address' && typeof value === 'object' && value !== null) return Object.values(value).join(', ');
  if (field === 'address') return String(value);
  return field === 'county' && typeof value === 'string' ? countyText(value) : valueText(field, value, vocabulary);
}

function writeDistance(
  fact: NonNullable<WireDecision['distances']>['facts'][number],
  shores: readonly MeasuredShore[],
  sources: SourcesOfValues,
): CertificateDistance {
  const shore = fact.dataset === null ? undefined : shores.find((each) => each.fact === fact.fact);
  return {
    fact: fact.fact,
    to: shore?.to ?? wordOf('field', fact.fact.replace(/^distance_to_|_meters$/g, '')),
    meters: fact.meters,
    range_meters: fact.range_meters,
    text: fact.text,
    source: sources.ofDistance(fact),
    shore: shore === undefined ? null : writeShore(shore),
  };
}

function writeShore({ answer }: MeasuredShore): NonNullable<CertificateDistance['shore']> {
  const { coast, azimuthDegrees, dataset, shore, accuracyMeters } = answer;
  return {
    name: shore,
    point: { lat: coast.latitude, lng: coast.longitude },
    bearing_degrees: azimuthDegrees,
    compass_point: compassPoint(azimuthDegrees),
    accuracy_meters: accuracyMeters,
    dataset: { name: dataset.name, version: dataset.version, attribution: dataset.attribution },
    by_source: answer.sources.map(({ dataset: name, distanceMeters }) => ({ dataset: name, meters: distanceMeters })),
    is_tidal_river_possible: answer.isTidalRiverPossible,
  };
}

function writeVerdict(verdict: WireVerdict, writer: Writer): CertificateVerdict {
  const { would_change, tier } = verdict;
  return {
    carrier_key: verdict.carrier_key,
    carrier: verdict.carrier,
    policy_type: verdict.policy_type,
    status: verdict.status,
    decided_by: writeRules(verdict, writer),
    requirements: verdict.requirements,
    possible_requirements: verdict.possible_requirements,
    notes: verdict.notes,
    terms: Object.entries(verdict.terms ?? {}).map(([name, { text, rules }]) => ({
      name,
      text,
      rule_ids: rules.map(({ rule_id }) => rule_id),
    })),
    missing: verdict.missing_fields.map((field) => ({ field, label: labelOf(field, writer.vocabulary) })),
    ...(would_change ? { would_change: writeWouldChange(would_change) } : {}),
    ...(tier ? { tier: tier.name ?? tier.program_id } : {}),
    ...(verdict.certainty === undefined ? {} : { certainty: verdict.certainty }),
    rule_set: verdict.rule_set,
    source: verdict.source,
  };
}

function writeWouldChange({
  outcome,
  ways,
  note,
}: NonNullable<WireVerdict['would_change']>): NonNullable<CertificateVerdict['would_change']> {
  return {
    outcome,
    ways: ways.map(({ changes, becomes }) => ({
      changes: changes.map(({ field, label, text }) => ({ field, label, text })),
      becomes,
    })),
    ...(note === undefined ? {} : { note }),
  };
}

/** The rules of the explanation; without one, those of the reasons, without their tests. */
function writeRules({ explanation, reasons, status }: WireVerdict, writer: Writer): CertificateRule[] {
  const reasonOf = (ruleId: string) => reasons.find(({ rule_id }) => rule_id === ruleId);
  if (explanation) {
    return explanation.decided_by.map(({ rule_id, kind, outcome, code, message, program, truth, tests }) => {
      const { ends_at, distances } = reasonOf(rule_id) ?? {};
      return {
        rule_id,
        kind,
        outcome,
        code,
        message,
        program,
        truth,
        ...(ends_at === undefined ? {} : { ends_at }),
        ...(distances ? { distances } : {}),
        tests: tests.map((test) => writeTest(test, writer)),
      };
    });
  }
  return reasons.map(({ rule_id, code, message, ends_at, distances }) => ({
    rule_id,
    kind: ends_at === undefined ? ('rule' as const) : ('moratorium' as const),
    outcome: status === 'ineligible' ? 'decline' : 'refer',
    code,
    message,
    program: null,
    truth: 'true' as const,
    ...(ends_at === undefined ? {} : { ends_at }),
    ...(distances ? { distances } : {}),
    tests: [],
  }));
}

type WireTest = NonNullable<WireVerdict['explanation']>['decided_by'][number]['tests'][number];

function writeTest(test: WireTest, { vocabulary, sources }: Writer): CertificateTest {
  const { fact, operator, limit, field, label, unit, value, truth, text, inferred } = test;
  return {
    field,
    label,
    operator,
    limit,
    limit_text: `${wordOf('operator', operator)} ${valueText(fact, limit, vocabulary, unit)}`,
    value,
    value_text: valueText(fact, value, vocabulary, unit),
    ...(unit === undefined ? {} : { unit }),
    truth,
    text,
    source: sources.of(fact, field, { isMissing: value === null, isInferred: inferred === true }),
  };
}
