import { writeWord } from '@leeward/terms/words';
import type { ListedPolicy } from '../evaluate/evaluator-messages.ts';

/** The first cells of a policy in a table, after the heads "Row", the kept columns, "Form" and "Place". */
export function PolicyCells({
  policy: { row, line, extras, policyType, place },
}: {
  readonly policy: Pick<ListedPolicy, 'row' | 'line' | 'extras' | 'policyType' | 'place'>;
}) {
  return (
    <>
      <th scope="row">
        {row.toLocaleString('en-US')}
        {line !== undefined && <span class="soft"> line {line.toLocaleString('en-US')}</span>}
      </th>
      {extras.map((cell, index) => (
        <td key={index}>{cell}</td>
      ))}
      <td>{writeWord(policyType)}</td>
      <td>{place}</td>
    </>
  );
}
