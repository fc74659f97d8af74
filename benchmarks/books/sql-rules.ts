import { countyByFips } from '@leeward/places/counties';
import type { BenchmarkCarrier, Condition } from '../engine/carriers.ts';

const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
const operators: Readonly<Record<string, string>> = { greaterThan: '>', lessThan: '<', equal: '=' };

/** A condition in SQL, whose three-valued logic handles unknowns. */
function conditionSql(condition: Condition): string {
  if ('all' in condition) return `(${condition.all.map(conditionSql).join(' and ')})`;
  if ('any' in condition) return `(${condition.any.map(conditionSql).join(' or ')})`;
  if ('not' in condition) return `(not ${conditionSql(condition.not)})`;
  const { operator, value } = condition;
  const fact = condition.fact === 'home_age' ? '(2026 - year_built)' : condition.fact;
  if (Array.isArray(value))
    return value.length === 0 ? 'false' : `${fact} in (${value.map((word) => text(String(word))).join(', ')})`;
  return `${fact} ${operators[operator]} ${typeof value === 'number' ? value : text(String(value))}`;
}

/** The alternative of a data team: one column per carrier, its rules as CASE by policy type. */
export function rulesAsSql(carriers: readonly BenchmarkCarrier[], from: string): string {
  const columns = carriers.map(({ key, programs }) => {
    const cases = programs.map(({ policyType, rules, excluded }) => {
      const of = (outcome: string) =>
        rules.filter((rule) => rule.outcome === outcome).map(({ when }) => conditionSql(when));
      const places = excluded.map((fips) => countyByFips(fips)!).map(({ state, name }) => text(`${state} ${name}`));
      const declines = [
        ...of('decline'),
        ...(places.length > 0 ? [`(state || ' ' || county) in (${places.join(', ')})`] : []),
      ].join(' or ');
      const refers = of('refer').join(' or ');
      return `when ${text(policyType)} then case when ${declines} then 4 when (${declines}) is null then 3 when ${refers} then 2 when (${refers}) is null then 3 else 1 end`;
    });
    return `case policy_type ${cases.join(' ')} end as ${key}`;
  });
  return `select ${columns.join(', ')} from ${from}`;
}
