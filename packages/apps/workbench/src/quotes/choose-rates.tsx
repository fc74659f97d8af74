import { writeWord } from '@leeward/terms/words';
import { useId } from 'preact/hooks';
import {
  chosenCarriers,
  chosenForms,
  chosenProduct,
  forms,
  loadFields,
  notAppointed,
  offeredCarriers,
  product,
  reference,
  selectedCarriers,
  selectedForms,
} from './quote-form-state.ts';

/** Product, form types and carriers of the request. */
export function ChooseRates({ faultOf }: { readonly faultOf: (path: string) => string | undefined }) {
  const now = reference.value;
  if (now.state !== 'ready') return null;
  const offered = offeredCarriers.value;
  return (
    <fieldset class="stack">
      <legend class="group-title">What to quote</legend>
      <div class="field quote-product">
        <label for="quote-product">Product</label>
        <select
          id="quote-product"
          value={product.value}
          onChange={({ currentTarget }) => {
            chosenProduct.value = currentTarget.value;
            chosenForms.value = chosenCarriers.value = undefined;
            void loadFields();
          }}
        >
          {now.products.map(({ product_code, product: name }) => (
            <option key={product_code} value={product_code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Checks
        legend="Form types"
        options={forms.value.map((form) => [form, writeWord(form)])}
        chosen={selectedForms.value}
        choose={(next) => {
          chosenForms.value = next;
        }}
        fault={faultOf('/form_types')}
      />
      <Checks
        legend={`Carriers (${selectedCarriers.value.length} of ${offered.length})`}
        options={offered.map(({ carrier_key, carrier }) => [carrier_key, carrier])}
        chosen={selectedCarriers.value}
        choose={(next) => {
          chosenCarriers.value = next;
        }}
        fault={faultOf('/carrier_keys')}
      />
      {notAppointed.value > 0 && (
        <p class="small soft">
          {notAppointed.value === 1
            ? '1 carrier that you chose is not appointed to your team and cannot be quoted.'
            : `${notAppointed.value} carriers that you chose are not appointed to your team and cannot be quoted.`}
        </p>
      )}
    </fieldset>
  );
}

interface ChecksProps {
  readonly legend: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: readonly string[];
  readonly choose: (next: readonly string[]) => void;
  readonly fault: string | undefined;
}

function Checks({ legend, options, chosen, choose, fault }: ChecksProps) {
  const id = useId();
  const all = options.map(([value]) => value);
  return (
    <fieldset class="stack-tight" {...(fault === undefined ? {} : { 'aria-describedby': id })}>
      <legend class="label">{legend}</legend>
      <div class="quote-checks">
        {options.map(([value, text]) => (
          <label key={value} class="row">
            <input
              type="checkbox"
              checked={chosen.includes(value)}
              {...(fault === undefined ? {} : { 'aria-invalid': 'true' as const })}
              onChange={({ currentTarget: { checked } }) =>
                choose(all.filter((each) => (each === value ? checked : chosen.includes(each))))
              }
            />
            {text}
          </label>
        ))}
      </div>
      {options.length === 0 && <p class="small soft">No appointed carrier offers these form types.</p>}
      {options.length > 4 && (
        <p class="row">
          <button type="button" class="plain small" onClick={() => choose(all)}>
            All carriers
          </button>
          <button type="button" class="plain small" onClick={() => choose([])}>
            No carriers
          </button>
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={id}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}
