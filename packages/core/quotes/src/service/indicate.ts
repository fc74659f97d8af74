import { type Fault, formatCents } from '@leeward/terms';
import { type CarrierCatalog, skipReason } from '../catalog/carrier-catalog.ts';
import type { QuotedLines } from '../catalog/quoted-line.ts';
import type { CarrierAdapter, Indication, IndicationRequest } from '../ports/carrier-adapter.ts';
import type { TeamDirectory } from '../ports/team-directory.ts';
import { checkFields } from '../request/check-fields.ts';
import { InvalidQuoteRequestError } from '../request/quote-errors.ts';
import type { Quotes } from './quotes.ts';

/** Estimates of all appointed carriers that have rates at hand; no carrier is called. */
export function createIndicator(options: {
  readonly catalog: CarrierCatalog;
  readonly lines: QuotedLines;
  readonly teams: TeamDirectory;
  readonly nowMs: () => number;
}): Quotes['indicate'] {
  const { catalog, lines, teams, nowMs } = options;
  return async (teamId, { formTypes, fields: input }) => {
    const today = new Date(nowMs()).toISOString().slice(0, 10);
    const faults: Fault[] = [];
    const forms = formTypes.flatMap((text, index) => {
      const checked = lines.checkFormType(text);
      if ('value' in checked) return [checked.value];
      faults.push({ path: `/form_types/${index}`, ...checked });
      return [];
    });
    const line = lines.lineOf(forms[0] ?? '') ?? lines.lines[0]!;
    const { fields, faults: fieldFaults } = checkFields(input, today, line, { isPartial: true });
    faults.push(...fieldFaults);
    if (faults.length > 0) throw new InvalidQuoteRequestError(faults);
    const appointments = await teams.appointments(teamId);
    const effectiveDate = String(fields['effective_date'] ?? today);
    const rates = catalog.carriers.flatMap((carrier) => {
      const own = appointments.filter(({ carrierKey }) => carrierKey === carrier.adapter.key);
      // Only appointed carriers are named to a team.
      if (own.length === 0) return [];
      return [...new Set(forms)].map((formType) => ({
        adapter: carrier.adapter,
        formType,
        skipCode: skipReason(carrier, own, formType, String(fields['state'])),
      }));
    });
    const indications = await Promise.all(
      rates.map(async ({ adapter, formType, skipCode }) => {
        if (skipCode !== undefined) return [];
        const indication = await indicationOf(adapter, { formType, effectiveDate, fields });
        return indication === undefined ? [] : [{ adapter, formType, indication }];
      }),
    );
    return {
      indications: indications
        .flat()
        .toSorted((a, b) => Number(a.indication.premiumCents - b.indication.premiumCents))
        .map(({ adapter, formType, indication: { premiumCents, minCents, maxCents, missingFields } }) => ({
          carrier_key: adapter.key,
          carrier: adapter.name,
          form_type: formType,
          premium: formatCents(premiumCents),
          min: formatCents(minCents),
          max: formatCents(maxCents),
          missing_fields: missingFields,
        })),
      carriers: rates.map(({ adapter, formType, skipCode }) => ({
        carrier_key: adapter.key,
        form_type: formType,
        skip_code: skipCode ?? null,
      })),
    };
  };
}

/** A failing adapter has no estimate: nothing depends on it. */
async function indicationOf(adapter: CarrierAdapter, request: IndicationRequest): Promise<Indication | undefined> {
  try {
    return await adapter.indicate?.(request);
  } catch {
    return undefined;
  }
}
