import { idempotencyHeader } from '@leeward/http';
import { type OperationNotes, only } from './operation-note.ts';

const at = '2026-11-20T12:00:00.000000Z';
const ruleSetId = '01m7xsqc1h2k7m9p4q6r8t0v2w';
const moratoriumId = '01m7xsqc3f5h7k9m1p3r5t7v9x';
const signed = (by: string) => ({ by, at });
const anna = '01m7xsqbhm658mefw5mjh2g5fw';
const ben = '01m7xsqbhn9r1v3x5z7b9d1f3h';
const effective = { from: '2026-12-01', until: null };
const ruleSet = {
  format: 1,
  carrier: { key: 'bayou_mutual', name: 'Bayou Mutual' },
  version: '2026.12.1',
  effective,
  programs: [{ id: 'tx-homeowners', policy_types: ['ho3'], states: ['tx'] }],
};
const version = {
  rule_set_id: ruleSetId,
  organization_id: null,
  carrier_key: 'bayou_mutual',
  carrier: 'Bayou Mutual',
  version: '2026.12.1',
  effective,
  sha256: '1546a9d7b15b5e217635d2442da7dffd6883946f7e46929c675a6ef38cde9902',
  status: 'proposed',
  note: 'Three claims are one too many.',
  proposed: signed(anna),
  approved: null,
  four_eyes: null,
  revision: 1,
  created_at: at,
  updated_at: at,
};
const compared = {
  homes: 9_812,
  changed: 311,
  changed_since: 0,
  by_move: { 'eligible to ineligible': 298, 'referral to ineligible': 13 },
  by_code: { claims: 311 },
  by_rule: { claims: 311 },
  by_state: { tx: 311 },
  not_judged: [],
};
const decisionId = '01m7xsqc5g6h8j0k2m4n6p8q0r';
const answers = {
  before: { status: 'eligible', codes: [], missing_fields: [] },
  after: { status: 'ineligible', codes: ['claims'], missing_fields: [] },
};
const decision = {
  decision_id: decisionId,
  organization_id: null,
  saved_at: at,
  home: { state: 'tx', policy_type: 'ho3', county: 'harris', total_claims: 3 },
  effective_date: '2026-11-20',
};
const review = {
  cases: { run: 42, failures: [] },
  findings: [],
  changes: [
    {
      code: 'newly_declined',
      path: '/rules/0',
      message: 'ho3: Newly declined by "claims": total_claims is 3. Example: eligible becomes ineligible.',
      severity: 'note',
      rule_id: 'claims',
      witness: { state: 'tx', county: 'harris', total_claims: 3 },
    },
  ],
  omitted: 0,
  unexplained: { fault: 0, warning: 0, note: 0 },
  saved: compared,
};
const whole = { ...version, base: [], review, rule_set: ruleSet, cases: null };
const approved = { ...version, status: 'approved', approved: signed(ben), four_eyes: 'people', revision: 2 };
const carrier = { carrier_key: 'bayou_mutual', versions: [approved], publication: 7 };
const moratorium = {
  moratorium_id: moratoriumId,
  carrier_keys: null,
  moratorium: {
    id: 'gulf-storm',
    from: '2026-11-20T12:00:00Z',
    until: null,
    states: ['tx', 'la'],
    message: 'Binding is suspended for the storm in the Gulf.',
  },
  status: 'proposed',
  proposed: signed(anna),
  approved: null,
  four_eyes: null,
  revision: 1,
  created_at: at,
  updated_at: at,
};
const approvedMoratorium = {
  ...moratorium,
  status: 'approved',
  approved: signed(ben),
  four_eyes: 'people',
  revision: 2,
};

/** Texts of the operations on rule sets and moratoria. */
export const ruleSetNotes: OperationNotes = {
  adminRuleSetsStatus: {
    description: 'The catalog for the operator; the carriers of the organization for an organization.',
    request: only('Everything', {}),
    answer: only('The rules in force', {
      publication: 7,
      published_at: at,
      carriers: [carrier],
      proposed: [],
      moratoria: [approvedMoratorium],
    }),
  },
  adminRuleSetsList: {
    description: 'All versions, with their status.',
    request: only('One carrier', { carrier_key: 'bayou_mutual' }),
    answer: only('One page', { items: [approved], next: null }),
  },
  adminRuleSetsGet: {
    request: only('By its identifier', { rule_set_id: ruleSetId }),
    answer: only('With its file', whole),
  },
  adminRuleSetsPush: {
    description: 'Checked and reviewed like a proposal, but not submitted for approval.',
    request: only('A draft', { rule_set: ruleSet }),
    answer: only('The stored draft', { ...version, status: 'draft', note: null, proposed: null }),
  },
  adminRuleSetsPropose: {
    description:
      'A file with faults is refused with all of them. Cases that fail, and findings that the file does not explain, are kept with the review: with them it cannot be approved. A review does a limited amount of work: `analysis_incomplete` is a finding where that was not enough, and it has to be explained like the others. One version of an organization is reviewed at a time and three more may wait; beyond them it is 429 with `Retry-After`. Answers other than 200 leave nothing behind.',
    headers: idempotencyHeader('proposal'),
    request: only('A new version', {
      rule_set: ruleSet,
      cases: [],
      book: [{ state: 'tx', county: 'harris', policy_type: 'ho3', total_claims: 3 }],
      note: 'Three claims are one too many.',
    }),
    answer: only('With its review', whole),
  },
  adminRuleSetsApprove: {
    description:
      'By another person than the proposer. `revision` is the one whose review you read. 403 `own_approval`: the two tokens come from one token, which counts as one person. 403 `scope_missing`: an organization’s token lacks `approve`. 409: `case_fails`, `finding_unexplained`, `revision_conflict`, `not_proposed`, or `base_moved` if another version went into force meanwhile; the proposal is then compared again under a new revision. Every process serves the rules within two seconds; no request waits for them.',
    request: only('The reviewed revision', { rule_set_id: ruleSetId, revision: 1 }),
    answer: only('Approved', approved),
  },
  adminRuleSetsWithdraw: {
    description: 'The replaced version does not return to force; use a rollback for that.',
    request: only('By its identifier', { rule_set_id: ruleSetId, why: 'A wrong county.' }),
    answer: only('Withdrawn', { ...approved, status: 'withdrawn', revision: 3 }),
  },
  adminRuleSetsRollback: {
    description:
      'Reverts the last change of a carrier. Another call reverts the change before it. 409 `nothing_to_roll_back` if there is none.',
    request: only('A carrier', { carrier_key: 'bayou_mutual', why: 'A wrong county.' }),
    answer: only('The rules in force now', { ...carrier, publication: 8 }),
  },
  adminRuleSetsReplay: {
    description:
      'Evaluates the saved decisions with this version and with the rules in force, under the override of the organization, and lists those whose status, codes or missing fields differ. Moratoria of the registry are ignored. An organization replays its decisions, the operator all. Nothing is stored.',
    request: only('A stored version', { rule_set_id: ruleSetId, max_changes: 1 }),
    answer: only('The changed decisions', {
      ...compared,
      changes: [
        {
          id: decisionId,
          policy_type: 'ho3',
          state: 'tx',
          ...answers,
          answered: answers.before,
          rule_ids: ['claims'],
        },
      ],
    }),
  },
  adminSavedDecisionsList: {
    description:
      'The operator can save a share of the underwriting decisions (`LEEWARD_CAPTURE`) for a number of days: the facts of the home, the dates, the hashes of the rules and the answers. Address, point and data of the insured are not saved.',
    request: only('The latest', { limit: 1 }),
    answer: only('One page', { items: [decision], next: null }),
  },
  adminSavedDecisionsGet: {
    description:
      'With `carrier_key`, also as a case for `cases.json`, which expects the saved answer. `simplified` names facts that were known more exactly than a request can state. 409 `not_asked` if the carrier was not evaluated.',
    request: only('As a case', { decision_id: decisionId, carrier_key: 'bayou_mutual' }),
    answer: only('With its record', {
      ...decision,
      record: {
        format: 1,
        engine: '1.0.0',
        evaluator: 'compiled',
        line: 'home',
        as_of: at,
        effective_date: '2026-11-20',
        home: decision.home,
        counties: ['48201'],
        known: {},
        rule_sets: [
          {
            carrier_key: 'bayou_mutual',
            version: '2026.11.1',
            sha256: version.sha256,
            source: 'catalog',
            policy_types: ['ho3'],
          },
        ],
        host_facts: [],
        decision_sha256: version.sha256,
      },
      answers: { bayou_mutual: { ho3: answers.before } },
      case: {
        note: 'Saved 2026-11-20',
        as_of: at,
        effective_date: '2026-11-20',
        home: { state: 'tx', county: 'harris', total_claims: 3 },
        policy_type: 'ho3',
        expect: answers.before,
      },
      simplified: [],
    }),
  },
  adminMoratoriaList: {
    description: 'For the operator.',
    request: only('The first ten', { limit: 10 }),
    answer: only('One page', { items: [approvedMoratorium], next: null }),
  },
  adminMoratoriaPropose: {
    description: 'A dated stop for carriers of the catalog, without new versions of their rule sets. For the operator.',
    request: only('A storm', { moratorium: moratorium.moratorium }),
    answer: only('The stored moratorium', moratorium),
  },
  adminMoratoriaApprove: {
    description: 'By another person than the proposer; in force in every process within two seconds.',
    request: only('The reviewed revision', { moratorium_id: moratoriumId, revision: 1 }),
    answer: only('Approved', approvedMoratorium),
  },
  adminMoratoriaWithdraw: {
    request: only('By its identifier', { moratorium_id: moratoriumId, why: 'The storm is over.' }),
    answer: only('Withdrawn', { ...approvedMoratorium, status: 'withdrawn', revision: 3 }),
  },
};
