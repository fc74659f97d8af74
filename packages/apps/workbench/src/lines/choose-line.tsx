import { chosenLine, type FormLine, homeLine, otherLines } from './served-lines.ts';

interface ChooseLineProps {
  readonly isNone: boolean;
  readonly choose: (line: FormLine) => void;
}

export function ChooseLine({ isNone, choose }: ChooseLineProps) {
  const others = otherLines.value ?? [];
  if (others.length === 0) return null;
  const lines = [homeLine, ...others];
  return (
    <p class="row">
      <label for="line-of-business">Line of business</label>
      <select
        id="line-of-business"
        class="line-of-business"
        value={isNone ? '' : chosenLine.value.line}
        onChange={({ currentTarget }) => {
          const line = lines.find((each) => each.line === currentTarget.value);
          if (line) choose(line);
        }}
      >
        {isNone && <option value="">Choose one …</option>}
        {lines.map(({ line, title }) => (
          <option key={line} value={line}>
            {title}
          </option>
        ))}
      </select>
    </p>
  );
}
