import { createHash } from 'node:crypto';
import type { Fault } from '@leeward/terms';
import type { ReviewFinding } from '../rule-set-review.ts';
import type { RulesPort } from '../rules-port.ts';

type Json = Readonly<Record<string, unknown>>;

/** Checks the shape and limits of files, not the meaning. */
export const testRules: RulesPort = {
  checkCarrierRules(ruleSet) {
    const {
      carrier = {},
      version,
      effective = {},
      rules = [],
    } = ruleSet as Json & { carrier?: Json; effective?: Json };
    const faults: Fault[] = [];
    const text = (value: unknown, path: string, pattern: RegExp): string => {
      if (typeof value === 'string' && pattern.test(value)) return value;
      faults.push({ path, code: 'invalid_value', message: 'is not as it should be.' });
      return '';
    };
    const carrierKey = text(carrier['key'], '/carrier/key', /^[a-z][a-z0-9_]{0,63}$/);
    const carrierName = text(carrier['name'], '/carrier/name', /./);
    const effectiveFrom = text(effective['from'], '/effective/from', /^\d{4}-\d\d-\d\d$/);
    const versionText = text(version, '/version', /./);
    faults.push(...rulesFaults(rules, '/rules'));
    if (faults.length > 0) return { faults };
    const sha256 = createHash('sha256').update(JSON.stringify(ruleSet)).digest('hex');
    return { faults, ruleSet: { carrierKey, carrierName, version: versionText, effectiveFrom, sha256 } };
  },
  checkOverride(override) {
    return { faults: rulesFaults((override as Json)['add_rules'] ?? [], '/add_rules') };
  },
  /** Cases that are `false` fail; `x_findings` of the file are the findings. */
  async reviewRuleSet({ ruleSet, cases, inForce }, from) {
    const checked = await testRules.checkCarrierRules(ruleSet, from);
    if (checked.faults.length > 0) return checked;
    const findings = ((ruleSet as Json)['x_findings'] ?? []) as ReviewFinding[];
    const ran = (cases ?? []) as readonly boolean[];
    const failures = ran.flatMap((passes, index): ReviewFinding[] =>
      passes ? [] : [{ code: 'case_fails', path: `/${index}`, message: 'fails.', severity: 'fault' }],
    );
    const unexplained = { fault: 0, warning: 0, note: 0 };
    for (const { severity, allowed } of findings) if (allowed === undefined) unexplained[severity]++;
    const versions = inForce?.map((file) => (file as Json)['version']).join() ?? 'nothing';
    const changes: ReviewFinding[] = [{ code: 'compared', path: '', message: `with ${versions}`, severity: 'note' }];
    const review = { cases: { run: ran.length, failures }, findings, changes, omitted: 0, unexplained };
    return { ...checked, review };
  },
  /** A home with `"changes": true` changes; `"unreadable": true` is not evaluated. */
  async replayRuleSet({ homes }) {
    const ids: string[] = [];
    const unreadable: string[] = [];
    let count = 0;
    for await (const part of homes) {
      for (const home of part) {
        const content = ('record' in home ? JSON.parse(home.record) : home.request) as Json;
        if (content['unreadable'] === true) {
          unreadable.push(home.id);
          continue;
        }
        count++;
        if (content['changes'] === true) ids.push(home.id);
      }
    }
    const answer = { status: 'eligible', codes: [], missing_fields: [] };
    const common = { policy_type: 'ho3', state: 'fl', before: answer, after: answer, answered: null, rule_ids: [] };
    const [first] = unreadable;
    const not_judged = first === undefined ? [] : [{ why: 'It is unreadable.', homes: unreadable.length, first }];
    const tallies = { by_move: {}, by_code: {}, by_rule: {}, by_state: {}, not_judged };
    const changes = ids.map((id) => ({ id, ...common }));
    return { faults: [], replayed: { homes: count, changed: ids.length, changed_since: 0, ...tallies, changes } };
  },
  async caseOfDecision({ carrierKey, policyType, note }) {
    return carrierKey === 'stranger'
      ? undefined
      : { entry: { note, carrier: carrierKey, policy_type: policyType }, simplified: [] };
  },
  checkMoratorium(moratorium) {
    const { until } = moratorium as Json;
    return until === 'never' ? [{ path: '/until', code: 'invalid_value', message: 'is not a time.' }] : [];
  },
  checkHazardEvent(event) {
    const { kind } = event as Json;
    const faults = kind === 'blizard' ? [{ path: '/kind', code: 'unknown_kind', message: 'is not a kind.' }] : [];
    return faults.length > 0 ? { faults } : { faults, event: event as Json };
  },
};

function rulesFaults(rules: unknown, path: string): Fault[] {
  if (!Array.isArray(rules)) return [{ path, code: 'invalid_type', message: 'must be an array.' }];
  const faults: Fault[] = rules.length > 500 ? [{ path, code: 'too_many_rules', message: 'has more than 500.' }] : [];
  rules.forEach((rule: unknown, index) => {
    if (JSON.stringify(rule).includes('"path"')) {
      faults.push({ path: `${path}/${index}`, code: 'path_not_allowed', message: 'may not use path.' });
    }
  });
  return faults;
}

export function ruleSetOf(key: string, changes: Json = {}): Json {
  return {
    format: 1,
    carrier: { key, name: `Carrier ${key}` },
    line: 'home',
    version: '2026.1',
    effective: { from: '2026-01-01', until: null },
    rules: [],
    programs: [{ id: 'fl', policy_types: ['ho3'], states: ['fl'] }],
    ...changes,
  };
}
