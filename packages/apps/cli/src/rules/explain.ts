import { resolve } from 'node:path';
import { type ExplainedAnswer, type ExplainedHome, explainHome, type Finding, writeFinding } from '@leeward/authoring';
import type { RuleSet, UnderwritingRequest } from '@leeward/engine';
import { type ReadHome, readHome as readRequest } from '@leeward/http';
import { writeDecision } from '@leeward/http/decision';
import { writeTime } from '@leeward/terms';
import { createColors } from 'picocolors';
import { readJsonText } from '../files/json-text.ts';
import { lazyDistances } from '../homes/lazy-distances.ts';
import { readEvents } from '../homes/read-events.ts';
import { type KnownLines, knownLines } from '../lines/known-lines.ts';
import type { Terminal } from '../terminal.ts';
import { asOfOption } from './analyse.ts';
import { answerInWords } from './answer-words.ts';
import { usable } from './diff.ts';
import { type LocatedFinding, locate } from './located-finding.ts';
import { type Format, printFindings } from './print-findings.ts';
import { readJson } from './rule-set-files.ts';
import { exitWith } from './wrong-use.ts';

type Distances = (ReadHome & { readonly ok: true })['distances'];

interface ExplainOptions {
  readonly format: Format;
  readonly asOf?: string;
  readonly policyType?: string;
  readonly events?: string;
}

/** `rules explain`: a verdict in sentences, with the conditions and values behind it. */
export async function explain(
  ruleSet: string,
  home: string,
  options: ExplainOptions,
  terminal: Terminal,
  lines: KnownLines = knownLines,
): Promise<void> {
  const rules = usable(ruleSet, options.format, terminal, lines);
  const { name, value, positionOf } = await readHome(home, options.format, terminal);
  const askedAt = asOfOption(options.asOf, terminal)();
  const type = options.policyType === undefined ? {} : { policy_type: options.policyType };
  const isHome = typeof value === 'object' && value !== null && !Array.isArray(value);
  const read = await readRequest(isHome ? { ...value, ...type } : value, {
    now: new Date(askedAt.asOfMs),
    vocabulary: rules.vocabulary,
    distance: lazyDistances(terminal),
    certainties: () => (rules.ruleSet.certainty === undefined ? [] : [rules.ruleSet.certainty]),
  });
  if (!read.ok) {
    const findings = read.faults.map((fault): LocatedFinding => {
      return { ...writeFinding({ ...fault, severity: 'fault' }), file: name, ...positionOf(fault.path) };
    });
    printFindings(findings, options.format, terminal);
    terminal.writeError('leeward rules: the home has errors.\n');
    exitWith(2);
  }
  const { distances } = read;
  const events = await readEvents(options.events, terminal);
  const request = events ? { ...read.request, property: { ...read.request.property, events } } : read.request;
  const explained = await explainHome(rules.ruleSet, request.property);
  if (options.format === 'json') {
    const findings = explained.answers.flatMap((answer) => findingsOf(answer, rules.ruleSet));
    printFindings(
      findings.map((finding) => locate(finding, rules.name, rules.json)),
      'json',
      terminal,
      {
        as_of: request.asOf,
        effective_date: request.effectiveDate,
        ...writeAnswers(request, distances, explained),
      },
    );
    return;
  }
  const { carrierName, version } = rules.ruleSet;
  const colors = createColors(terminal.inColor);
  terminal.write(`${carrierName} ${version}, as of ${writeTime(request.asOf)}, effective ${request.effectiveDate}.\n`);
  for (const text of distancesInWords(request, distances, explained)) terminal.write(`${text}\n`);
  for (const { path, message } of request.warnings) terminal.write(`Note on ${path.slice(1)}: ${message}\n`);
  for (const answer of explained.answers)
    terminal.write(`\n${answerInWords(answer, rules.ruleSet, request.property, colors)}`);
}

async function readHome(path: string, format: Format, terminal: Terminal) {
  if (path !== '-') {
    const { name, json, findings } = readJson(resolve(terminal.folder, path), terminal.folder);
    if (json) return { name, value: json.value, positionOf: json.positionOf };
    printFindings(findings, format, terminal);
    return exitWith(2);
  }
  const name = 'standard input';
  const read = readJsonText(await terminal.readInput());
  if ('json' in read) return { name, value: read.json.value, positionOf: read.json.positionOf };
  const findings = read.faults.map((fault) => ({ ...fault, severity: 'fault' as const, file: name }));
  printFindings(findings, format, terminal);
  return exitWith(2);
}

/** Rules that hold or could hold, at their places in the rule set. */
function findingsOf({ policyType, verdict, explanation }: ExplainedAnswer, ruleSet: RuleSet): Finding[] {
  const note = { severity: 'note', policyTypes: [policyType] } as const;
  if (!verdict)
    return [{ ...note, code: 'not_offered', path: '/programs', message: `${policyType} is not offered here.` }];
  return (explanation.rules ?? []).flatMap(({ ruleId, kind, outcome, message, truth }): Finding[] => {
    if (truth === 'false') return [];
    const code = truth === 'true' ? 'rule_holds' : 'rule_undecided';
    const path = pathOf(kind, ruleId, ruleSet);
    return [{ ...note, code, path, message: `${policyType}: ${outcome}. ${message}`, ruleId }];
  });
}

/** JSON Pointer of a rule, of the program whose territory it is, or of a moratorium. */
function pathOf(kind: 'rule' | 'territory' | 'moratorium', id: string, ruleSet: RuleSet): string {
  const { rules, programs, moratoria } = ruleSet;
  const isIt = (each: { readonly id: string }) => each.id === id;
  switch (kind) {
    case 'territory':
      return `/programs/${programs.findIndex(isIt)}`;
    case 'moratorium':
      return `/moratoria/${moratoria.findIndex(isIt)}`;
    case 'rule':
      return [...rules, ...programs.flatMap((program) => program.rules)].find(isIt)?.path ?? '';
  }
}

/** Each answer as the HTTP API gives it to a request with `explain`; not offered in short. */
function writeAnswers(request: UnderwritingRequest, sources: Distances, { decision, answers }: ExplainedHome) {
  const explained = answers.flatMap(({ verdict, explanation, wouldChange }) =>
    verdict ? [[verdict, { explanation, wouldChange }] as const] : [],
  );
  const { carriers, declined, distances } = writeDecision({ ...request, includeDeclined: true }, decision, {
    traceId: '',
    organizationId: null,
    distances: sources,
    explained: new Map(explained),
  });
  const written = [...carriers, ...declined];
  const verdicts = answers.map(({ policyType, wouldChange }) => {
    const of = written.find((each) => each.policy_type === policyType);
    return of ?? { policy_type: policyType, status: 'not_offered', note: wouldChange.note };
  });
  return { ...(distances ? { distances } : {}), verdicts };
}

function distancesInWords(
  request: UnderwritingRequest,
  sources: Distances,
  { decision }: ExplainedHome,
): readonly string[] {
  const { distances } = writeDecision(request, decision, { traceId: '', organizationId: null, distances: sources });
  return distances?.facts.map(({ text }) => text) ?? [];
}
