import { type QuotedLine, type QuotedLines, quotedLines } from '@leeward/quotes';
import { didYouMean, exceedsDepth, type Fault, isObject, parseCents, pointer, quoteValue } from '@leeward/terms';
import { readStrength } from '../financial-strength.ts';
import { shapeFaults } from '../shape-faults.ts';
import { foldCounty } from './county-name.ts';
import { type RatingFields, ratingFieldsOf } from './rating-facts.ts';
import type { RatingPlan } from './rating-plan.ts';
import { parseDecimal } from './rational.ts';
import { readProgram } from './read-program.ts';
import { type ProgramFile, ratingPlanSchema } from './schema.ts';

const MAX_DEPTH = 12;

/** A plan, or all faults; warnings do not prevent a plan. */
export interface CheckedRatingPlan {
  /** Without faults. */
  readonly plan?: RatingPlan;
  readonly faults: readonly Fault[];
  readonly warnings: readonly Fault[];
}

export interface RatingPlanOptions {
  /** In addition to homes. @default none */
  readonly lines?: readonly QuotedLine[];
}

/**
 * Checks a rating plan and prepares it for rating. Reports all faults at once and never throws. @param file Parsed JSON of
 * `rating-plan.json`.
 * @example
 * const { plan, faults, warnings } = checkRatingPlan(JSON.parse(text));
 */
export function checkRatingPlan(file: unknown, { lines: others }: RatingPlanOptions = {}): CheckedRatingPlan {
  const lines = quotedLines(others);
  if (!isObject(file))
    return refused('not_a_rating_plan', `A rating plan is a JSON object; this is ${quoteValue(file)}.`);
  if (exceedsDepth(file, MAX_DEPTH))
    return refused('too_deep', `The file is nested more than ${MAX_DEPTH} levels deep.`);
  const shape = ratingPlanSchema.safeParse(file);
  if (!shape.success)
    return {
      faults: shapeFaults(ratingPlanSchema, shape.error.issues, file),
      warnings: [],
    };
  const { carrier, version, effective, programs } = shape.data;
  const faults: Fault[] = [];
  const warnings: Fault[] = [];
  if (effective.until !== null && effective.until <= effective.from) {
    const message = `until (${effective.until}) must come after from (${effective.from}).`;
    faults.push({ path: '/effective/until', code: 'empty_window', message });
  }
  faults.push(...duplicates(programs, '/programs', 'id'), ...overlaps(programs));
  programs.forEach((program, index) => {
    const path = pointer('programs', index);
    faults.push(...formTypeFaults(program, path, lines));
    const fields = ratingFieldsOf(lines.lineOf(program.form_types[0]!) ?? lines.lines[0]!);
    faults.push(...programFaults(program, path, fields));
    warnings.push(...extraFieldWarnings(program, path, fields));
  });
  if (faults.length > 0) return { faults, warnings };
  const plan: RatingPlan = {
    carrierKey: carrier.key,
    carrierName: carrier.name,
    financialStrength: readStrength(carrier.financial_strength),
    version,
    effectiveFrom: effective.from,
    effectiveUntil: effective.until ?? undefined,
    programs: programs.map(readProgram),
  };
  return { plan, faults: [], warnings };
}

function refused(code: string, message: string): CheckedRatingPlan {
  return { faults: [{ path: '', code, message }], warnings: [] };
}

/** One line, whose fields the program can rate by. */
function formTypeFaults({ form_types }: ProgramFile, path: string, lines: QuotedLines): Fault[] {
  const first = lines.lineOf(form_types[0]!);
  return form_types.flatMap((formType, index) => {
    const at = `${path}/form_types/${index}`;
    const line = lines.lineOf(formType);
    if (!line) {
      const { formTypes } = lines;
      const message = `${quoteValue(formType)} is not a form type; use one of: ${formTypes.join(', ')}.${didYouMean(formType, formTypes)}`;
      return [{ path: at, code: 'unknown_policy_type', message }];
    }
    if (!first || line === first) return [];
    const message = `${quoteValue(formType)} belongs to the line "${line.line}" and ${quoteValue(form_types[0])} to "${first.line}"; use a separate program for each.`;
    return [{ path: at, code: 'lines_mixed', message }];
  });
}

function programFaults(program: ProgramFile, path: string, fields: RatingFields): Fault[] {
  const faults = [
    ...duplicates(program.territories, `${path}/territories`, 'id'),
    ...duplicates(program.factors, `${path}/factors`, 'id'),
    ...territoryFaults(program, path),
  ];
  const { base } = program;
  if (!fields.isNumber(base.field)) {
    const message = `${quoteValue(base.field)} is not a numeric field to rate by.${didYouMean(base.field, fields.names.filter(fields.isNumber))}`;
    faults.push({ path: `${path}/base/field`, code: 'unknown_field', message });
  }
  if (parseDecimal(base.per)?.numerator === 0n) faults.push(notZero(`${path}/base/per`));
  if (parseCents(program.rounding.to) === 0n) faults.push(notZero(`${path}/rounding/to`));
  program.factors.forEach((factor, index) => {
    faults.push(...factorFaults(factor, `${path}/factors/${index}`, program, fields));
  });
  for (const key of ['fees', 'taxes', 'coverages', 'deductibles', 'endorsements'] as const) {
    const lines = program[key] ?? [];
    faults.push(...duplicates(lines, `${path}/${key}`, 'code'));
    const share = key === 'fees' || key === 'taxes' ? 'percent' : 'percent_of_dwelling';
    lines.forEach((line, index) => {
      const amounts = [line.amount, (line as Record<string, unknown>)[share]].filter((each) => each !== undefined);
      const isStated = 'inclusion' in line || 'settlement' in line;
      if (amounts.length === 1 || (isStated && amounts.length === 0)) return;
      const message = `${line.code} needs exactly one of amount and ${share}.`;
      faults.push({ path: `${path}/${key}/${index}`, code: 'amount_or_percent', message });
    });
  }
  const { quote_url: url } = program;
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) {
    const message = `${quoteValue(url)} is not an address that begins with https://.`;
    faults.push({ path: `${path}/quote_url`, code: 'invalid_url', message });
  }
  return faults;
}

function territoryFaults({ territories, states }: ProgramFile, path: string): Fault[] {
  const faults: Fault[] = [];
  const owners = new Map<string, string>();
  territories.forEach((territory, index) => {
    const at = `${path}/territories/${index}`;
    const { counties, zip_prefixes: prefixes } = territory;
    if (counties === undefined && prefixes === undefined && index < territories.length - 1) {
      const message = `${quoteValue(territory.id)} matches everything, so the territories after it are unreachable: put it last.`;
      faults.push({ path: at, code: 'unreachable_territory', message });
    }
    if (parseDecimal(territory.rate)?.numerator === 0n) faults.push(notZero(`${at}/rate`));
    const claim = (place: string, where: string) => {
      const owner = owners.get(place);
      if (owner === undefined) owners.set(place, territory.id);
      else {
        const message = `${place} already belongs to the territory ${quoteValue(owner)}.`;
        faults.push({ path: where, code: 'territory_overlap', message });
      }
    };
    for (const [state, names] of Object.entries(counties ?? {})) {
      if (!states.includes(state)) {
        const message = `${quoteValue(state)} is not a state of this program; use one of: ${states.join(', ')}.`;
        faults.push({ path: `${at}/counties${pointer(state)}`, code: 'state_not_in_program', message });
      }
      names.forEach((name, place) => {
        claim(`${foldCounty(name)}, ${state}`, `${at}/counties${pointer(state, place)}`);
      });
    }
    prefixes?.forEach((prefix, place) => {
      claim(`ZIP ${prefix}`, `${at}/zip_prefixes/${place}`);
    });
  });
  return faults;
}

function factorFaults(
  factor: ProgramFile['factors'][number],
  path: string,
  program: ProgramFile,
  { names: ratingFields, isNumber: isNumberField, optionsOf }: RatingFields,
): Fault[] {
  const faults: Fault[] = [];
  const { field, values, points, bands, otherwise, missing } = factor;
  const tables = [values, points, bands].filter((table) => table !== undefined);
  if (tables.length !== 1) {
    return [{ path, code: 'one_table', message: `${quoteValue(factor.id)} needs one of values, points and bands.` }];
  }
  const isRequired = ratingFields.includes(field);
  if (!isRequired && missing === undefined) {
    const message = `${quoteValue(field)} is not a field of every quote.${didYouMean(field, ratingFields)} A custom field needs "missing": the factor for quotes without it.`;
    faults.push({ path: `${path}/field`, code: 'unknown_field', message });
  }
  const options = field === 'form_type' ? program.form_types : optionsOf(field);
  if (values !== undefined) {
    if (isNumberField(field)) {
      const message = `${field} is a number: use points or bands.`;
      faults.push({ path: `${path}/values`, code: 'wrong_table', message });
    }
    for (const value of Object.keys(values)) {
      if (options === undefined || (options as readonly string[]).includes(value)) continue;
      const message = `${quoteValue(value)} is not a value of ${field}; use one of: ${options.join(', ')}.${didYouMean(value, options)}`;
      faults.push({ path: `${path}/values${pointer(value)}`, code: 'unknown_value', message });
    }
    const uncovered = options?.filter((option) => !Object.hasOwn(values, option));
    if (otherwise === undefined && (uncovered === undefined || uncovered.length > 0)) {
      const which = uncovered === undefined ? 'values that are not listed' : uncovered.join(', ');
      faults.push({
        path,
        code: 'incomplete_values',
        message: `There is no factor for ${which}: add it, or "otherwise".`,
      });
    }
  } else if (options !== undefined || (isRequired && !isNumberField(field))) {
    const message = `${field} is not a number: use values.`;
    faults.push({ path, code: 'wrong_table', message });
  }
  const steps = points ?? bands ?? [];
  steps.forEach(([at], index) => {
    const before = steps[index - 1];
    if (before === undefined || at > before[0]) return;
    const message = `${at} follows ${before[0]}; numbers must increase.`;
    faults.push({
      path: `${path}/${points === undefined ? 'bands' : 'points'}/${index}/0`,
      code: 'not_rising',
      message,
    });
  });
  const factors = [...Object.values(values ?? {}), ...steps.map((step) => step[1]), otherwise, missing];
  if (factors.some((each) => parseDecimal(each)?.numerator === 0n)) faults.push(notZero(path));
  return faults;
}

function extraFieldWarnings(program: ProgramFile, path: string, fields: RatingFields): Fault[] {
  const { names: ratingFields, isNumber, optionsOf } = fields;
  return program.factors.flatMap(({ field }, index) => {
    const isKnown = ratingFields.includes(field) || isNumber(field) || optionsOf(field) !== undefined;
    const hint = isKnown ? '' : didYouMean(field, ratingFields);
    if (hint === '') return [];
    const message = `${quoteValue(field)} is treated as a custom field.${hint}`;
    return [{ path: `${path}/factors/${index}/field`, code: 'extra_field', message }];
  });
}

/** In form type and state: a carrier has one premium. */
function overlaps(programs: readonly ProgramFile[]): Fault[] {
  const owners = new Map<string, string>();
  const faults: Fault[] = [];
  programs.forEach((program, index) => {
    for (const state of new Set(program.states)) {
      for (const formType of new Set(program.form_types)) {
        const where = `${formType} in ${state}`;
        const owner = owners.get(where);
        if (owner === undefined) owners.set(where, program.id);
        else if (owner !== program.id) {
          const message = `The programs ${quoteValue(owner)} and ${quoteValue(program.id)} both rate ${where}. Narrow one of them.`;
          faults.push({ path: pointer('programs', index), code: 'program_overlap', message });
        }
      }
    }
  });
  return faults;
}

function duplicates<Key extends 'id' | 'code'>(
  list: readonly Readonly<Record<Key, string>>[],
  path: string,
  key: Key,
): Fault[] {
  const first = new Map<string, number>();
  return list.flatMap((entry, index) => {
    const before = first.get(entry[key]);
    if (before === undefined) {
      first.set(entry[key], index);
      return [];
    }
    const message = `The ${key} ${quoteValue(entry[key])} is already used at ${path}/${before}; use another here.`;
    return [{ path: `${path}/${index}/${key}`, code: `duplicate_${key}`, message }];
  });
}

function notZero(path: string): Fault {
  return { path, code: 'zero', message: 'Zero would make every premium zero; use a larger number.' };
}
