import { effect, untracked } from '@preact/signals';
import { places, stateIn } from '../address/places.ts';
import { form } from './home-state.ts';
import { typeInto } from './line-form.ts';
import { distance } from './verdicts.ts';

/** Fills an empty state from the address that was found, and keeps it up to date until a person types another. The returned function stops it. */
export function followAddressState(): () => void {
  let derived: string | undefined;
  return effect(() => {
    const address = distance.value?.location.matched_address;
    const state = address && stateIn(address, places.value);
    untracked(() => {
      const current = form.value.typed.value['state'];
      if (!state || (current !== undefined && current !== derived)) return;
      derived = state;
      if (current !== state) typeInto(form.value, 'state', state);
    });
  });
}
