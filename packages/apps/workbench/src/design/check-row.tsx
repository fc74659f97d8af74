import type { Signal } from '@preact/signals';

export function CheckRow({ label, checked }: { readonly label: string; readonly checked: Signal<boolean> }) {
  return (
    <label class="row no-print">
      <input
        type="checkbox"
        checked={checked.value}
        onChange={({ currentTarget }) => {
          checked.value = currentTarget.checked;
        }}
      />
      {label}
    </label>
  );
}
