import type { CompiledProgram } from '../compiled/compile-program.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import { CARRIERS_PER_TABLE } from '../planes/plane-table.ts';
import { readPlanes, STATUS_CODES, writeStatuses } from '../planes/read-planes.ts';
import { type CarrierBits, certainlyHolds, isOutside } from '../planes/rule-bits.ts';
import type { Property } from '../request/property.ts';
import { coversCounty, coversState } from '../rule-set/places.ts';
import type { Program } from '../rule-set/rule-set.ts';
import type { Findings } from '../verdict/findings.ts';
import type { SettledStatus } from '../verdict/verdict.ts';
import type { StatusTables, TableGroup } from './status-tables.ts';

const codes = new Uint8Array(CARRIERS_PER_TABLE);

/**
 * Finds what every carrier of the tables says of a property. Where all is known the planes have the status
 * and each rule is one look-up; where something is not, what they leave open is settled exactly. Carriers
 * that are not asked are passed over.
 */
export function findInTables(
  tables: StatusTables,
  property: Property,
  isAsked: ((carrier: number) => boolean) | undefined,
  visit: (carrier: number, findings: Findings) => void,
): void {
  for (const group of tables.groups) findInGroup(group, property, isAsked, visit);
}

function findInGroup(
  { reader, carriers, bits }: TableGroup,
  property: Property,
  isAsked: ((carrier: number) => boolean) | undefined,
  visit: (carrier: number, findings: Findings) => void,
): void {
  readPlanes(reader, property);
  writeStatuses(reader, codes, 0);
  const isComplete = reader.looseCount[0] === 0;
  const rules = isComplete ? bits() : [];
  for (let index = 0; index < carriers.length; index++) {
    const status = STATUS_CODES[codes[index]!]!;
    if (status === 'not_offered') continue;
    const { carrier, program } = carriers[index]!;
    if (isAsked?.(carrier) === false) continue;
    const findings = isComplete
      ? completeFindings(program, rules[index]!, reader.cells, status as SettledStatus, property)
      : findCompiled(program, property, status === 'needs_information' ? undefined : status);
    if (findings) visit(carrier, findings);
  }
}

const alone: Readonly<Record<SettledStatus, ReadonlySet<SettledStatus>>> = {
  eligible: new Set(['eligible']),
  referral: new Set(['referral']),
  ineligible: new Set(['ineligible']),
};
const nothing: ReadonlySet<string> = new Set();

/** Everything is known: a rule holds or it does not. */
function completeFindings(
  program: CompiledProgram,
  bits: CarrierBits,
  cells: Int32Array,
  status: SettledStatus,
  property: Property,
): Findings {
  const rules = bits.rules.map((rule) => ({
    rule: rule.compiled.rule,
    truth: certainlyHolds(rule, bits.masks, cells) ? ('true' as const) : ('false' as const),
  }));
  return {
    rules,
    territory: isOutside(bits, cells) ? 'true' : 'false',
    program: firstProgram(program, property.state)!,
    moratoria: moratoriaAt(program, property).map((moratorium) => ({ moratorium, truth: 'true' as const })),
    possible: alone[status],
    missing: nothing,
    conservative: false,
  };
}

export function firstProgram(program: CompiledProgram, state: string): Program | undefined {
  return program.programs.find((each) => coversState(each.places, state));
}

/** Moratoria in force for a property whose county is known. */
export function moratoriaAt(program: CompiledProgram, { asOfMs, state, counties }: Property) {
  if (program.moratoria.length === 0) return [];
  return program.moratoria
    .map((each) => each.moratorium)
    .filter(
      ({ fromMs, untilMs, places }) =>
        fromMs <= asOfMs && asOfMs < untilMs && counties?.length === 1 && coversCounty(places, state, counties[0]!),
    );
}
