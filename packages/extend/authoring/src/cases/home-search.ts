import type { Property, Rule, RuleSet, Vocabulary } from '@leeward/engine';
import {
  type Axis,
  type Box,
  type CellSet,
  type CompiledProgram,
  compiledProgram,
  covers,
  emptySet,
  factsOfProperty,
  isCompiled,
  isEmpty,
  isLadder,
  type Places,
  setOf,
  singleCell,
  treeTruth,
} from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import { type Allowance, covered, meet, wholeBox, withAxis } from '../finding/boxes.ts';
import { type Example, findExample } from '../finding/example-home.ts';
import { type Border, type BorderSide, reaches } from './borders.ts';

/** Creates a search for homes that a case should have. */
export function createHomeSearch(ruleSet: RuleSet, at: AskedAt, vocabulary: Vocabulary) {
  const year = Number(at.effectiveDate.slice(0, 4));
  const programs = vocabulary.policyTypes.flatMap((policyType): CompiledProgram[] => {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    if (program && isLadder(program)) return program.tiers.map(({ compiled }) => compiled);
    return program && isCompiled(program) ? [program] : [];
  });
  const allowance: Allowance = { left: 1_000_000, perQuestion: 5000 };
  /** The part of a box in which no other rule declines or refers, so that this rule decides. */
  const quiet = (program: CompiledProgram, box: Box, rule: Rule): Box => {
    const others = program.rules.filter(
      (each) => each.rule !== rule && ['decline', 'refer'].includes(each.rule.outcome),
    );
    const result = covered(
      box,
      others.flatMap(({ terms }) => terms),
      allowance,
    );
    return typeof result === 'object' ? result.open : box;
  };
  const truthAt = (rule: Rule, property: Property) =>
    treeTruth(rule.condition, factsOfProperty(property, property.policyType!, property.counties?.[0]));
  return {
    at,
    /** A typical home, preferably an eligible one. */
    inPlaces(places: Places, policyTypes: readonly string[] | undefined, when = at): Example | undefined {
      for (const program of programs) {
        if (!(policyTypes?.includes(program.policyType) ?? true)) continue;
        const cells = program.place.cellsWhere(
          (place) => covers(places, place) && program.programs.some((each) => covers(each.places, place)),
        );
        if (isEmpty(cells)) continue;
        const whole = wholeBox(program, cells);
        const open = openBox(
          whole,
          program.rules.flatMap(({ terms }) => terms),
          allowance,
        );
        const example = findExample(program, open ?? whole, when, () => true);
        if (example) return example;
      }
      return undefined;
    },
    whereHolds(rule: Rule, holds: boolean): Example | undefined {
      for (const program of programs) {
        const compiled = program.rules.find((each) => each.rule === rule);
        if (!compiled) continue;
        const places = program.place.cellsWhere((place) =>
          (compiled.program ? [compiled.program] : program.programs).some(({ places }) => covers(places, place)),
        );
        const whole = wholeBox(program, places);
        const boxes = holds
          ? compiled.terms.map((term) => meet(whole, term))
          : [openBox(whole, compiled.terms, allowance)];
        for (const box of boxes) {
          if (!box) continue;
          const accept = (property: Property) => truthAt(rule, property) === (holds ? 'true' : 'false');
          const example =
            findExample(program, quiet(program, box, rule), at, accept) ?? findExample(program, box, at, accept);
          if (example) return example;
        }
      }
      return undefined;
    },
    /** A home on a side of a border, where the border decides. */
    atBorder(border: Border, side: BorderSide): Example | undefined {
      const { rule, reference, leaf, demand } = border;
      const fieldName = reference?.field.name;
      const value =
        reference?.kind === 'derived' ? reference.derived.cuts(side.value, { effectiveYear: year })[0]! : side.value;
      const isCount = leaf.computed?.kind === 'aggregate' && leaf.computed.apply === 'count';
      const exact = new Map(fieldName !== undefined ? [[fieldName, value]] : isCount ? [[leaf.fact, value]] : []);
      const accept = (property: Property) =>
        reaches(side, border, property, factsOfProperty(property, property.policyType!, property.counties?.[0]));
      for (const program of programs) {
        const compiled = demand
          ? program.demands.find((each) => each.rule === rule && each.demand === demand)
          : program.rules.find((each) => each.rule === rule);
        const axis = program.axes.findIndex((entry) =>
          fieldName === undefined
            ? entry?.computed && entry.axis.name === leaf.fact
            : entry?.field !== -1 && entry?.axis.name === fieldName,
        );
        if (!compiled || axis < 1) continue;
        const cells = cellsOfSide(program.axes[axis]!.axis, side, fieldName === undefined ? undefined : value);
        if (isEmpty(cells)) continue;
        for (const term of compiled.terms) {
          const box = meet(
            wholeBox(program),
            term.filter((part) => part.axis !== axis),
          );
          if (!box) continue;
          const atCell = withAxis(box, axis, cells);
          const example =
            findExample(program, quiet(program, atCell, rule), at, accept, exact) ??
            findExample(program, atCell, at, accept, exact);
          if (example) return example;
        }
      }
      return undefined;
    },
  };
}

/** The cell of a field's value; of a computed number, the cells on the side. */
function cellsOfSide({ size, cellOf, samples }: Axis, side: BorderSide, value: number | undefined): CellSet {
  const cell = cellOf(value ?? side.value);
  if (value !== undefined) return cell < 0 ? emptySet(size) : singleCell(size, cell);
  return setOf(size, (each) => each === cell || side.includes(samples[each] as number));
}

function openBox(whole: Box, terms: Parameters<typeof covered>[1], allowance: Allowance): Box | undefined {
  const result = covered(whole, terms, allowance);
  return typeof result === 'object' ? result.open : undefined;
}
