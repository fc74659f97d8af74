import { meet, wholeBox } from '../finding/boxes.ts';
import type { Example } from '../finding/example-home.ts';
import { type AnalysisContext, confirmedExample, isEvaluatedAs } from './analysis-context.ts';

/** Finds offers that contradict each other for some home: no value of a term satisfies all of them. */
export function findContradictingTerms(context: AnalysisContext): void {
  const { programs, findings } = context;
  for (const rule of addedRules(context)) {
    const policyTypes: string[] = [];
    let example: Example | undefined;
    for (const program of programs) {
      const compiled = program.rules.find((each) => each.rule === rule);
      if (!compiled) continue;
      const { policyType } = program;
      if (
        example &&
        isEvaluatedAs(context, program, { ...example.property, policyType }, ({ holding }) => holding.has(rule))
      ) {
        policyTypes.push(policyType);
        continue;
      }
      for (const term of compiled.terms) {
        const other = confirmedExample(context, program, meet(wholeBox(program), term)!, ({ holding, status }) => {
          // A declined home gets no terms.
          return holding.has(rule) && status !== 'ineligible';
        });
        if (!other) continue;
        example ??= other;
        policyTypes.push(policyType);
        break;
      }
    }
    const [last] = rule.contradicts!.toReversed();
    if (!example || last === undefined) continue;
    findings.push({
      code: 'terms_contradict',
      path: rule.path,
      ruleId: last,
      severity: 'fault',
      message: rule.message,
      otherRuleIds: rule.contradicts!.slice(0, -1),
      policyTypes,
      example: example.home,
    });
  }
}

/** The rules that the engine adds for contradicting offers. */
function addedRules({ ruleSet: { rules, programs } }: AnalysisContext) {
  return [...rules, ...programs.flatMap((program) => program.rules)].filter((rule) => rule.contradicts);
}
