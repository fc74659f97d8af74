/** The same file may be chosen again. */
export function FileButton({
  id,
  label,
  accept = '.json,application/json',
  isMain = false,
  isDisabled = false,
  open,
}: {
  readonly id: string;
  readonly label: string;
  readonly accept?: string;
  /** The main action of its view. */
  readonly isMain?: boolean;
  readonly isDisabled?: boolean;
  readonly open: (file: File | undefined) => void;
}) {
  return (
    <label class={isMain ? 'button main' : 'button'}>
      {label}
      <input
        id={id}
        class="only-heard"
        type="file"
        accept={accept}
        disabled={isDisabled}
        onChange={({ currentTarget }) => {
          open(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
