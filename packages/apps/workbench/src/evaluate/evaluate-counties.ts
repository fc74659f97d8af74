import { parseRequest, STATUS_CODES } from '@leeward/engine';
import { countiesOf, type stateCodes, states } from '@leeward/places/counties';
import { countAnswers } from './count-answers.ts';
import type { Appetite, AppetiteQuestion, AppetiteRow } from './evaluator-messages.ts';
import type { OpenCatalog } from './open-catalog.ts';

const NOT_OFFERED = STATUS_CODES.indexOf('not_offered');
/** Best status first. */
const rank = new Map(
  (['eligible', 'referral', 'needs_information', 'ineligible', 'not_judged', 'not_offered'] as const).map(
    (status, place) => [STATUS_CODES.indexOf(status), place],
  ),
);
/** Evaluates one home in each county of a state, or of all states. */
export function evaluateCounties({ catalog, isAppointed }: OpenCatalog, { home, state }: AppetiteQuestion): Appetite {
  const { vocabulary, carriers } = catalog;
  const rows: AppetiteRow[] = [];
  const chosenStates = state === '' ? states : states.filter(({ code }) => code === state);
  for (const { code } of chosenStates) {
    const { county: _, ...placeless } = home;
    const parsed = parseRequest({ ...placeless, state: code }, { now: new Date() });
    if (!parsed.ok)
      return { ok: false, errors: parsed.faults.map(({ path, code, message }) => ({ path, code, message })) };
    const { property } = parsed.request;
    const types = property.policyType === undefined ? vocabulary.policyTypes : [property.policyType];
    const appointed = types.map((type) => carriers.map(({ key }) => isAppointed(key, type, property)));
    for (const { fips, label: name } of countiesOf(code as (typeof stateCodes)[number])) {
      const results = catalog.statusCodes({ ...property, counties: [fips] });
      const codes = carriers.map((_, carrier) => bestOf(types, carrier, results, appointed));
      rows.push({ fips, name, state: code, codes, ...countAnswers(codes) });
    }
  }
  return { ok: true, carriers: carriers.map(({ name }) => name), statuses: STATUS_CODES, rows };
}

/** A carrier's best status for any of the policy types. */
function bestOf(
  types: readonly string[],
  carrier: number,
  results: Uint8Array,
  appointed: readonly (readonly boolean[])[],
): number {
  const width = appointed[0]!.length;
  let best = NOT_OFFERED;
  types.forEach((_, type) => {
    const code = appointed[type]![carrier] ? results[type * width + carrier]! : NOT_OFFERED;
    if (rank.get(code)! < rank.get(best)!) best = code;
  });
  return best;
}
