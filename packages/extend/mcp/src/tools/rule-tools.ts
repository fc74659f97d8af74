import { createHash } from 'node:crypto';
import { type Review, startingRuleSet } from '@leeward/authoring';
import { isObject } from '@leeward/terms';
import { z } from 'zod';
import { defineTool, type ToolContext } from '../tool/tool.ts';
import { bodyOf, ToolError } from '../tool/tool-error.ts';

const scopes = ['rules', 'admin', 'operator'];

const ruleSetInput = {
  rule_set: z
    .record(z.string(), z.unknown(), { error: 'give the rule set as an object' })
    .describe('The rule set as JSON. draft_rules gives one to start from; leeward://reference/home has all facts.'),
};

const casesInput = {
  cases: z
    .array(z.unknown())
    .describe(
      'Homes with the expected answers: { "note", "as_of": "2026-12-01T12:00:00Z", "effective_date": "2026-12-01", "policy_type", "home", "expect": { "status", "codes" } }. Write them from the guide, before the rules.',
    ),
};

/** `draft_rules`: a rule set to start from. */
export const draftRules = defineTool({
  name: 'draft_rules',
  title: 'Draft rules',
  description:
    'A small valid rule set with comments and cases, to edit for a carrier’s guide. Nothing is stored. Then check_rules, run_cases and propose_rules.',
  input: z.object({
    carrier_key: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'give lower-case letters, digits and _: bayou_mutual'),
    carrier_name: z.string().min(1).max(100),
    states: z
      .array(z.string().regex(/^[A-Za-z]{2}$/, 'give abbreviations: tx'))
      .min(1)
      .describe('tx, la …'),
    effective_from: z.iso.date().describe('The first effective date, YYYY-MM-DD.'),
  }),
  scopes,
  async run({ carrier_key, carrier_name, states, effective_from }) {
    const { ruleSet, cases } = startingRuleSet({
      carrierKey: carrier_key,
      carrierName: carrier_name,
      states: states.map((state) => state.toLowerCase()),
      from: effective_from,
    });
    const data = { rule_set: ruleSet, cases };
    return { text: JSON.stringify(data, null, 2), data };
  },
});

/** `check_rules`: all faults, and what is probably wrong. */
export const checkRules = defineTool({
  name: 'check_rules',
  title: 'Check rules',
  description:
    'Checks a rule set: faults with their place and the way out, likely mistakes with an example home, and cases, if there are any. Nothing is stored.',
  input: z.object({ ...ruleSetInput, cases: casesInput.cases.default([]) }),
  scopes,
  async run({ rule_set, cases }, context) {
    const review = await context.review({ file: rule_set, cases, inForce: [] });
    if (review.faults.length > 0) return faultsOf(review);
    const { findings, cases: run, identity } = review.reviewed!;
    const lines = [
      `${identity.carrierName} ${identity.version} has no faults; sha256 ${identity.sha256}.`,
      ...findings.map(({ severity, path, message }) => `${severity} at ${path}: ${message}`),
      ...caseLines(run),
    ];
    return {
      text: lines.join('\n'),
      data: { sha256: identity.sha256, version: identity.version, faults: [], findings, cases: run },
    };
  },
});

/** `run_cases`: what a rule set answers to its cases. */
export const runCases = defineTool({
  name: 'run_cases',
  title: 'Run cases',
  description: 'Runs cases against a rule set, and lists those that fail, with the answer of the rules.',
  input: z.object({ ...ruleSetInput, ...casesInput }),
  scopes,
  async run({ rule_set, cases }, context) {
    const review = await context.review({ file: rule_set, cases, inForce: [] });
    if (review.faults.length > 0) return faultsOf(review);
    const { cases: run, identity } = review.reviewed!;
    return {
      text: caseLines(run).join('\n'),
      data: { sha256: identity.sha256, version: identity.version, cases: run },
    };
  },
});

/** `diff_rules`: which homes a new version answers otherwise. */
export const diffRules = defineTool({
  name: 'diff_rules',
  title: 'Compare two versions',
  description:
    'Homes that a new version answers differently from the older one, each with an example, and the edited rules. Without `older`, compares with the version in force at the service.',
  input: z.object({
    newer: ruleSetInput.rule_set,
    older: z.record(z.string(), z.unknown()).optional().describe('The older version. Default: the one in force.'),
  }),
  scopes,
  async run({ newer, older }, context) {
    const inForce = older === undefined ? await versionsInForce(newer, context) : [older];
    const review = await context.review({ file: newer, cases: undefined, inForce });
    if (review.faults.length > 0) return faultsOf(review);
    const { changes, omitted, identity } = review.reviewed!;
    const lines = changes.map(({ code, path, message }) => `${code} at ${path}: ${message}`);
    const more = omitted > 0 ? [`${omitted} more are left out.`] : [];
    return {
      text: lines.length > 0 ? [...lines, ...more].join('\n') : 'Both versions answer every home alike.',
      data: { sha256: identity.sha256, version: identity.version, changes, omitted },
    };
  },
});

/** `propose_rules`: hands a version in for approval by a person. */
export const proposeRules = defineTool({
  name: 'propose_rules',
  title: 'Propose rules',
  description:
    'Hands a version in to the registry of the service. It is a proposal: a person approves it, never you. It must have cases, and all of them must pass; otherwise nothing is stored.',
  input: z.object({
    ...ruleSetInput,
    ...casesInput,
    note: z.string().min(1).max(500).describe('Why, for the person who approves.'),
  }),
  scopes: ['admin', 'operator'],
  isReadOnly: false,
  async run({ rule_set, cases, note }, context) {
    if (cases.length === 0) {
      throw new ToolError(
        'cases: a proposal needs cases that pass. Write homes with the answers that the guide gives.',
      );
    }
    const review = await context.review({ file: rule_set, cases, inForce: await versionsInForce(rule_set, context) });
    if (review.faults.length > 0) throw new ToolError(faultsOf(review).text);
    const { failures } = review.reviewed!.cases;
    if (failures.length > 0) {
      throw new ToolError(`Not proposed:\n${caseLines(review.reviewed!.cases).join('\n')}`);
    }
    const body = { rule_set, cases, note };
    const key = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const answer = bodyOf<Record<string, unknown>>(
      await context.service.call('/v1/admin/rule-sets/propose', body, { 'idempotency-key': key }),
    );
    const { rule_set_id, carrier_key, version, sha256, revision, status } = answer;
    return {
      text: `Proposed as ${String(rule_set_id)}, revision ${String(revision)}: ${String(carrier_key)} ${String(version)}, sha256 ${String(sha256)}. It is ${String(status)} and not in force; another person approves it.`,
      data: { rule_set_id, carrier_key, version, sha256, revision, status, review: answer['review'] },
    };
  },
});

function faultsOf({ faults }: Review) {
  const many = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  const lines = faults.map(({ path, message }) => `fault at ${path === '' ? 'the file' : path}: ${message}`);
  return { text: [`The rule set has ${many}:`, ...lines].join('\n'), data: { faults } };
}

type Cases = NonNullable<Review['reviewed']>['cases'];

function caseLines({ run, failures }: Cases): string[] {
  const many = run === 1 ? '1 case' : `${run} cases`;
  if (failures.length === 0) return [run === 0 ? 'There are no cases.' : `${many} run: all pass.`];
  return [
    `${many} run: ${failures.length} expectation${failures.length === 1 ? '' : 's'} not met.`,
    ...failures.map(({ path, message }) => `case ${path}: ${message}`),
  ];
}

/** The versions of a carrier in force at the service; empty for a new carrier. */
async function versionsInForce(ruleSet: Record<string, unknown>, { service }: ToolContext): Promise<unknown[]> {
  const { carrier, line = 'home' } = ruleSet;
  const key = isObject(carrier) ? carrier['key'] : undefined;
  const answer = await service.call(`/v1/rule-sets/${encodeURIComponent(String(line))}`, {});
  // Without the scope to read rules, the service still compares a proposal itself.
  if (answer.status === 403) return [];
  const { carriers } = bodyOf<{ carriers: { carrier_key: string; versions: { rule_set: unknown }[] }[] }>(answer);
  return carriers.find((each) => each.carrier_key === key)?.versions.map((each) => each.rule_set) ?? [];
}
