import type { Property, Rule, RuleSet, Vocabulary } from '@leeward/engine';
import {
  type Box,
  type CompiledProgram,
  compiledProgram,
  covers,
  factsOfProperty,
  isCompiled,
  isEmpty,
  only,
  type Places,
  treeTruth,
} from '@leeward/engine/compiled';
import type { AskedAt } from '../finding/asked-at.ts';
import { type Allowance, covered, meet, wholeBox, withAxis } from '../finding/boxes.ts';
import { type Example, findExample } from '../finding/example-home.ts';
import { type Border, type BorderSide, reaches } from './borders.ts';

/** Looks for homes that a case is missing for. */
export function createHomeSearch(ruleSet: RuleSet, at: AskedAt, vocabulary: Vocabulary) {
  const year = Number(at.effectiveDate.slice(0, 4));
  const programs = vocabulary.policyTypes.flatMap((policyType): CompiledProgram[] => {
    const program = compiledProgram(ruleSet, policyType, year, vocabulary);
    return program && isCompiled(program) ? [program] : [];
  });
  const allowance: Allowance = { left: 1_000_000, perQuestion: 5000 };
  /** The part of a box where no other rule declines or refers, so that the rule is seen to matter. */
  const quiet = (program: CompiledProgram, box: Box, rule: Rule): Box => {
    const others = program.rules.filter(
      (each) => each.rule !== rule && ['decline', 'refer'].includes(each.rule.outcome),
    );
    const found = covered(
      box,
      others.flatMap(({ terms }) => terms),
      allowance,
    );
    return typeof found === 'object' ? found.open : box;
  };
  const truthAt = (rule: Rule, property: Property) =>
    treeTruth(rule.condition, factsOfProperty(property, property.policyType!, property.counties?.[0]));
  return {
    at,
    /** An ordinary home of some places in which a policy type is written, preferably one that is taken. */
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
        const found = findExample(program, open ?? whole, when, () => true);
        if (found) return found;
      }
      return undefined;
    },
    whereHolds(rule: Rule, wanted: boolean): Example | undefined {
      for (const program of programs) {
        const compiled = program.rules.find((each) => each.rule === rule);
        if (!compiled) continue;
        // Where the rule is read at all.
        const read = program.place.cellsWhere((place) =>
          (compiled.program ? [compiled.program] : program.programs).some(({ places }) => covers(places, place)),
        );
        const whole = wholeBox(program, read);
        const boxes = wanted
          ? compiled.terms.map((term) => meet(whole, term))
          : [openBox(whole, compiled.terms, allowance)];
        for (const box of boxes) {
          if (!box) continue;
          const accept = (property: Property) => truthAt(rule, property) === (wanted ? 'true' : 'false');
          const found =
            findExample(program, quiet(program, box, rule), at, accept) ?? findExample(program, box, at, accept);
          if (found) return found;
        }
      }
      return undefined;
    },
    atBorder(border: Border, side: BorderSide): Example | undefined {
      const { rule, reference } = border;
      const value =
        reference.kind === 'derived' ? reference.derived.cuts(side.value, { effectiveYear: year })[0]! : side.value;
      const exact = new Map([[reference.field.name, value]]);
      for (const program of programs) {
        const compiled = program.rules.find((each) => each.rule === rule);
        const axis = program.axes.findIndex(
          (known) => known?.field !== -1 && known?.axis.name === reference.field.name,
        );
        if (!compiled || axis < 1) continue;
        const known = program.axes[axis]!.axis;
        const cell = known.cellOf(value);
        if (cell < 0) continue;
        for (const term of compiled.terms) {
          const box = meet(
            wholeBox(program),
            term.filter((part) => part.axis !== axis),
          );
          if (!box) continue;
          const there = withAxis(box, axis, only(known.size, cell));
          const accept = (property: Property) => {
            return reaches(side, border, factsOfProperty(property, property.policyType!, property.counties?.[0]));
          };
          const found =
            findExample(program, quiet(program, there, rule), at, accept, exact) ??
            findExample(program, there, at, accept, exact);
          if (found) return found;
        }
      }
      return undefined;
    },
  };
}

function openBox(whole: Box, terms: Parameters<typeof covered>[1], allowance: Allowance): Box | undefined {
  const found = covered(whole, terms, allowance);
  return typeof found === 'object' ? found.open : undefined;
}
