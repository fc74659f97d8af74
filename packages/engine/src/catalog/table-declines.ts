import type { CompiledProgram } from '../compiled/compile-program.ts';
import { findCompiled } from '../compiled/find-compiled.ts';
import type { Declines } from '../compiled/find-declines.ts';
import { findDeclines } from '../compiled/find-declines.ts';
import { readPlanes } from '../planes/read-planes.ts';
import { certainlyHolds, isOutside } from '../planes/rule-bits.ts';
import type { Property } from '../request/property.ts';
import type { StatusTables } from './status-tables.ts';
import { firstProgram, moratoriaAt } from './table-findings.ts';

/** Finds, for every carrier that certainly declines, what declines. */
export function declinesInTables(
  tables: StatusTables,
  property: Property,
  visit: (carrier: number, declines: Declines) => void,
): void {
  for (const { reader, carriers, bits } of tables.groups) {
    readPlanes(reader, property);
    const [low, high] = reader.bits;
    const isSettled = reader.looseCount[0] === 0;
    for (let index = 0; index < carriers.length; index++) {
      if ((((index < 32 ? low! : high!) >>> (index & 31)) & 1) === 0) continue;
      const { carrier, program } = carriers[index]!;
      if (!isSettled) {
        const found = findDeclines(program, property) ?? jointDeclines(program, property);
        if (found) visit(carrier, found);
        continue;
      }
      const own = bits()[index]!;
      const rules = [];
      for (const rule of own.rules) {
        if (rule.compiled.rule.outcome !== 'decline') continue;
        if (certainlyHolds(rule, own.masks, reader.cells)) rules.push(rule.compiled.rule);
      }
      visit(carrier, {
        rules,
        moratoria: moratoriaAt(program, property),
        territory: isOutside(own, reader.cells) ? firstProgram(program, property.state) : undefined,
      });
    }
  }
}

/** Where nothing declines by itself: what declines together. */
function jointDeclines(program: CompiledProgram, property: Property): Declines | undefined {
  const joint = findCompiled(program, property, 'ineligible')?.jointly;
  if (!joint) return undefined;
  const territory = joint.territory ? firstProgram(program, property.state) : undefined;
  return { rules: joint.rules, moratoria: joint.moratoria, territory };
}
