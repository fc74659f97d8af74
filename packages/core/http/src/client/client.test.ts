import { describe, expectTypeOf, it } from 'vitest';
import type { Schemas } from './client.ts';

/** The types are what is tried: a wrong line that compiles leaves its `@ts-expect-error` unused, which does not compile. */
describe('the types of the client', () => {
  it('take what the server takes', () => {
    const home: Schemas['HomeUnderwritingRequest'] = {
      state: 'tx',
      policy_type: 'ho3',
      roof_type: 'metal',
      roof_age: 8,
    };
    const distance: Schemas['DistanceRequest'] = { lat: 29.3, lng: -94.8, coast: 'tidal' };
    expectTypeOf(home.state).toBeString();
    expectTypeOf(distance.lat).toEqualTypeOf<number | null | undefined>();
  });

  it('reject an unknown key, an unknown value, and null for a required field', () => {
    // @ts-expect-error roof_age is misspelt.
    const misspelt: Schemas['HomeUnderwritingRequest'] = { state: 'tx', rof_age: 8 };
    // @ts-expect-error The amount of a loss is misspelt.
    const misspeltInside: Schemas['HomeUnderwritingRequest'] = { state: 'tx', losses: [{ amuont: 4000 }] };
    // @ts-expect-error There is no ho33.
    const unknownType: Schemas['HomeUnderwritingRequest'] = { state: 'tx', policy_type: 'ho33' };
    // @ts-expect-error There is no such roof.
    const unknownRoof: Schemas['HomeUnderwritingRequest'] = { state: 'tx', roof_type: 'straw' };
    // @ts-expect-error A state is needed.
    const nowhere: Schemas['HomeUnderwritingRequest'] = { state: null };
    // @ts-expect-error A state is needed.
    const nothing: Schemas['HomeUnderwritingRequest'] = {};
    // @ts-expect-error Ages are numbers or digits.
    const trueAge: Schemas['HomeUnderwritingRequest'] = { state: 'tx', roof_age: true };
    // @ts-expect-error longitude is called lng.
    const longitude: Schemas['DistanceRequest'] = { lat: 29.3, lon: -94.8 };
    type Quote = Schemas['QuoteRequest'];
    // @ts-expect-error There is no such product.
    const product: Quote['product_code'] = 'homeownrs';
    // @ts-expect-error There is no such form type.
    const forms: Quote['form_types'] = ['ho33'];
    // @ts-expect-error There is no such telephone.
    const phone: Schemas['QuoteFields']['phone_type'] = 'fax';
    expectTypeOf({
      misspelt,
      misspeltInside,
      unknownType,
      unknownRoof,
      nowhere,
      nothing,
      trueAge,
      longitude,
      product,
      forms,
      phone,
    }).toBeObject();
  });
});
