import { stateCodes } from '@leeward/places/counties';
import type { FormType, ProductCode } from '@leeward/terms';
import { type CarrierCatalog, skipReason } from '../catalog/carrier-catalog.ts';
import type { QuotedLines } from '../catalog/quoted-line.ts';
import type { Appointment } from '../ports/team-directory.ts';

/** The product list. */
export interface ProductsResponse {
  readonly products: readonly {
    readonly product_code: ProductCode;
    readonly product: string;
    readonly form_types: readonly FormType[];
  }[];
}

/** Carriers that a team may name in `carrier_keys`, with their products. */
export interface CarriersResponse {
  readonly carriers: readonly {
    readonly carrier_key: string;
    readonly carrier: string;
    readonly products: readonly { readonly product_code: ProductCode; readonly form_types: readonly FormType[] }[];
  }[];
}

export function presentProducts({ products }: QuotedLines): ProductsResponse {
  return {
    products: products.map(({ code, name, formTypes }) => ({
      product_code: code,
      product: name,
      form_types: formTypes,
    })),
  };
}

export function presentCarriers(
  catalog: CarrierCatalog,
  appointments: readonly Appointment[],
  { products }: QuotedLines,
): CarriersResponse {
  const appointed = catalog.carriers.filter(({ adapter }) =>
    appointments.some((appointment) => appointment.carrierKey === adapter.key),
  );
  return {
    carriers: appointed.map((carrier) => {
      const own = appointments.filter((appointment) => appointment.carrierKey === carrier.adapter.key);
      const offered = carrier.formTypes.filter((formType) =>
        stateCodes.some((state) => skipReason(carrier, own, formType, state) === undefined),
      );
      const lines = products.map(({ code, formTypes }) => ({
        product_code: code,
        form_types: formTypes.filter((formType) => offered.includes(formType)),
      }));
      return {
        carrier_key: carrier.adapter.key,
        carrier: carrier.adapter.name,
        products: lines.filter((line) => line.form_types.length > 0),
      };
    }),
  };
}
