import type { WireComparison } from '../service/wire.ts';
import { coverageWords } from './quote-words.ts';

export type ComparedRate = WireComparison['rates'][number];
type ComparedLine = WireComparison['lines'][number];

/** Rates that can be compared: one form type, and either offers or indications. */
export interface RateGroup {
  readonly form: string;
  readonly isIndication: boolean;
  /** Bindable first, then by premium. */
  readonly rates: readonly ComparedRate[];
  readonly lines: readonly GroupLine[];
  /** Names of the lines in which the rates differ, without fees. */
  readonly differences: readonly string[];
  /** A rate lists no coverages, so that the others cannot be compared with it. */
  readonly isUnknown: boolean;
}

/** A line with the texts of the group's rates, in their order; empty if a rate does not list it. */
export interface GroupLine {
  readonly line: ComparedLine;
  readonly texts: readonly string[];
  readonly same: boolean;
}

const rank = ({ rate_type, outcome }: ComparedRate): number => {
  if (outcome === 'referred') return 2;
  return rate_type === 'bindable' ? 0 : rate_type === 'quoted' ? 1 : 2;
};

/** Groups by form type, in the order of the best offer; the indications of a form type follow its offers. */
export function groupRates({ rates, lines }: WireComparison): readonly RateGroup[] {
  const groups = new Map<string, { readonly form: string; readonly isIndication: boolean; readonly at: number[] }>();
  rates.forEach(({ form_type: form, rate_type }, index) => {
    const isIndication = rate_type === 'indication';
    const key = `${form} ${isIndication}`;
    const group = groups.get(key) ?? { form, isIndication, at: [] };
    group.at.push(index);
    groups.set(key, group);
  });
  const forms = [...new Set(rates.map(({ form_type }) => form_type))].toSorted();
  const order = ({ form, isIndication }: { readonly form: string; readonly isIndication: boolean }) =>
    2 * forms.indexOf(form) + (isIndication ? 1 : 0);
  return [...groups.values()]
    .toSorted((a, b) => order(a) - order(b))
    .map(({ at, ...group }) => {
      // `rates` has the lowest premium first, and sorting is stable.
      const places = at.toSorted((a, b) => rank(rates[a]!) - rank(rates[b]!));
      const own = lines
        .filter(({ section, values }) => section !== 'fees' && places.some((place) => values[place]))
        .map((line) => groupLine(line, places, lines));
      return {
        ...group,
        rates: places.map((place) => rates[place]!),
        lines: own,
        differences: own.filter(({ same }) => !same).map(({ line }) => line.name),
        isUnknown: places.some((place) => !listsCoverages(lines, place)),
      };
    });
}

const listsCoverages = (lines: readonly ComparedLine[], place: number) =>
  lines.some(({ section, values }) => section === 'coverages' && values[place]);

/** A rate that lists nothing in a section is left out of the comparison of its lines. */
function groupLine(line: ComparedLine, places: readonly number[], lines: readonly ComparedLine[]): GroupLine {
  const texts = places.map((place) => (line.values[place] ? coverageWords(line.values[place]) : ''));
  const counted = texts.filter((_, index) =>
    lines.some(({ section, values }) => section === line.section && values[places[index]!]),
  );
  return { line, texts, same: counted.every((text) => text === counted[0]) };
}
