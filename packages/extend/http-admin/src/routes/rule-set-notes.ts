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
const approved = { ...version, status: 'approved', approved: signed(ben), revision: 2 };
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
  revision: 1,
  created_at: at,
  updated_at: at,
};
const approvedMoratorium = { ...moratorium, status: 'approved', approved: signed(ben), revision: 2 };

/** Rule sets from a draft to being in force, and moratoria beside them. */
export const ruleSetNotes: OperationNotes = {
  adminRuleSetsStatus: {
    description: 'Of the catalog for the operator, of its own carriers for an organization.',
    request: only('Everything', {}),
    answer: only('What is in force', {
      publication: 7,
      published_at: at,
      carriers: [carrier],
      proposed: [],
      moratoria: [approvedMoratorium],
    }),
  },
  adminRuleSetsList: {
    description: 'Every version there was, with what became of it.',
    request: only('Of one carrier', { carrier_key: 'bayou_mutual' }),
    answer: only('One page', { items: [approved], next: null }),
  },
  adminRuleSetsGet: {
    request: only('By its identifier', { rule_set_id: ruleSetId }),
    answer: only('With its file', whole),
  },
  adminRuleSetsPush: {
    description: 'Checked and reviewed as a proposal is; nobody is asked to approve it.',
    request: only('A draft', { rule_set: ruleSet }),
    answer: only('As it is kept', { ...version, status: 'draft', note: null, proposed: null }),
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
      'By another person than the proposer. `revision` is the one whose review was read. Refused with 403 `own_approval` (tokens that come from one token are one person) or `scope_missing` (an organization’s token without `approve`), and with 409 `case_fails`, `finding_unexplained`, `base_moved` (another version went into force meanwhile: the proposal has been compared again, under a new revision), `revision_conflict` or `not_proposed`. Every process serves it within two seconds; no request waits for it.',
    request: only('What was read', { rule_set_id: ruleSetId, revision: 1 }),
    answer: only('Approved', approved),
  },
  adminRuleSetsWithdraw: {
    description: 'What it replaced is not put back: that is a rollback.',
    request: only('By its identifier', { rule_set_id: ruleSetId, why: 'A wrong county.' }),
    answer: only('Withdrawn', { ...approved, status: 'withdrawn', revision: 3 }),
  },
  adminRuleSetsRollback: {
    description: 'Called again it takes back the change before that. 409 `nothing_to_roll_back` where there is none.',
    request: only('A carrier', { carrier_key: 'bayou_mutual', why: 'A wrong county.' }),
    answer: only('What is in force now', { ...carrier, publication: 8 }),
  },
  adminRuleSetsReplay: {
    description:
      'Judges the saved decisions in which the carrier was asked by the version and by what is in force, each as though it were in force, under the override of the organization where there was one: those that change in status, codes or missing fields. Moratoria beside the rule sets count for neither. An organization’s are its own; the operator’s are all. Kept is nothing.',
    request: only('A version that is there', { rule_set_id: ruleSetId, max_changes: 1 }),
    answer: only('What would change', {
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
      'A share of the underwriting decisions is saved where the operator has set one (`LEEWARD_CAPTURE`), for so many days: the home as it was judged, the dates, the hashes of the rules and what was answered. No address, no point, nothing of the insured.',
    request: only('The latest', { limit: 1 }),
    answer: only('One page', { items: [decision], next: null }),
  },
  adminSavedDecisionsGet: {
    description:
      'With `carrier_key` as a case too, for `cases.json`: what was answered is what it expects. `simplified` names what was known more exactly than a request can say. 409 `not_asked` where the carrier was not.',
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
    description: 'The operator’s alone.',
    request: only('The first ten', { limit: 10 }),
    answer: only('One page', { items: [approvedMoratorium], next: null }),
  },
  adminMoratoriaPropose: {
    description:
      'A dated stop beside the rule sets of the catalog, without a new version of any. The operator’s alone.',
    request: only('A storm', { moratorium: moratorium.moratorium }),
    answer: only('As it is kept', moratorium),
  },
  adminMoratoriaApprove: {
    description: 'By another person than the proposer; in force in every process within two seconds.',
    request: only('What was read', { moratorium_id: moratoriumId, revision: 1 }),
    answer: only('Approved', approvedMoratorium),
  },
  adminMoratoriaWithdraw: {
    request: only('By its identifier', { moratorium_id: moratoriumId, why: 'The storm is over.' }),
    answer: only('Withdrawn', { ...approvedMoratorium, status: 'withdrawn', revision: 3 }),
  },
};
