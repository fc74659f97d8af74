import { capitalized, wordOf } from '@leeward/terms';
import { areNeighbors } from './edit-rules.ts';
import type { ReachedRule, RuleRow, RulesAnswer, TestedCases } from './rules-messages.ts';
import { Cell, Choice, Condition, type WriteOver } from './table-cells.tsx';

const outcomes = ['decline', 'refer', 'require', 'offer', 'inform'] as const;

export type RuleAction = 'add' | 'duplicate' | 'up' | 'down' | 'delete';

interface RuleTableProps {
  readonly rows: readonly RuleRow[];
  readonly all: number;
  readonly codes: readonly string[];
  readonly tested: TestedCases | undefined;
  /** Results of the rules for the home under Home. */
  readonly homeResults: RulesAnswer['homeResults'];
  /** False while the rows belong to an earlier text. */
  readonly isCurrent: boolean;
  readonly show: (from: number, to: number) => void;
  readonly write: WriteOver;
  readonly act: (action: RuleAction, place: number) => void;
  readonly undo: () => void;
}

/** The rules in words. An edit changes the text at the same place. */
export function RuleTable(props: RuleTableProps) {
  const { rows, all, tested, homeResults, undo } = props;
  return (
    <section class="panel stack-tight" aria-labelledby="rules-table">
      <div class="row between">
        <h2 id="rules-table">Rules in words</h2>
        <button type="button" class="no-print" onClick={undo}>
          Undo
        </button>
      </div>
      <p class="small soft">
        Each change is written into the text above; everything else stays. The name of a rule leads to its JSON.{' '}
        {homeResults
          ? 'The column Test home is for the home under Home.'
          : 'Fill in a home under Home to see here which rules hold for it.'}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <section class="scroll" tabIndex={0} aria-label="Rules">
        <table class="rule-table">
          <thead>
            <tr>
              {['Rule', 'Outcome', 'Condition', 'Message', 'Reason'].map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
              {homeResults && <th scope="col">Test home</th>}
              {tested && <th scope="col">Cases</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <Row key={`${row.program} ${row.id}`} {...props} row={row} place={place} />
            ))}
          </tbody>
        </table>
      </section>
      {all > rows.length && <p class="soft">and {all - rows.length} more in the text.</p>}
    </section>
  );
}

const marks = { holds: '✓', 'does not hold': '✕', 'not known': '?' } as const;

interface RowProps extends RuleTableProps {
  readonly row: RuleRow;
  readonly place: number;
}

function Row({ row, place, rows, codes, tested, homeResults, isCurrent, show, write, act }: RowProps) {
  const { id, program, code, outcome } = row;
  const result = homeResults?.[id];
  const all = codes.includes(code.text) ? codes : [code.text, ...codes];
  const actions = [
    ['up', 'Up', areNeighbors(rows[place - 1], row)],
    ['down', 'Down', areNeighbors(row, rows[place + 1])],
    ['add', 'Add below', row.isOurs],
    ['duplicate', 'Duplicate', true],
    ['delete', 'Delete', true],
  ] as const;
  return (
    <tr>
      <th scope="row">
        <button type="button" class="plain" onClick={() => show(row.from, row.to)}>
          {id}
        </button>
        <span class="block small soft">{program ?? 'all programs'}</span>
        <span class="rule-actions no-print">
          {actions.map(([action, word, isOffered]) => (
            <button
              key={action}
              type="button"
              class="plain small"
              disabled={!isOffered}
              aria-disabled={!isCurrent}
              aria-label={`${word}: ${id}`}
              onClick={() => isCurrent && act(action, place)}
            >
              {word}
            </button>
          ))}
        </span>
      </th>
      <td>
        <Choice
          of={outcome}
          options={outcomes.map((each) => [each, capitalized(each)])}
          label={`Outcome of ${id}`}
          className={`outcome-${outcome.text}`}
          write={write}
        />
      </td>
      <td>
        <Condition row={row} write={write} />
      </td>
      <td>
        <Cell of={{ ...row.message, kind: 'text', isWord: true }} label={`Message of ${id}`} write={write} isLong />
      </td>
      <td>
        <Choice
          of={code}
          options={all.map((each) => [each, capitalized(wordOf('reason', each))])}
          label={`Reason of ${id}`}
          write={write}
        />
      </td>
      {homeResults && (
        <td>
          {result && (
            <>
              <span aria-hidden="true">{marks[result]}</span> {result}
            </>
          )}
        </td>
      )}
      {tested && <Reached reached={tested.reached[id]} />}
    </tr>
  );
}

const SHADES = 4;

/** Heat of a rule by the number of cases; a square per side of its limits. */
function Reached({ reached }: { readonly reached: ReachedRule | undefined }) {
  if (!reached) return <td>–</td>;
  const { holds, doesNotHold, sides } = reached;
  const met = sides.filter(({ isReached }) => isReached).length;
  return (
    <td class={`heat heat-${holds === 0 ? 0 : Math.min(SHADES, Math.ceil(Math.log2(holds + 1)))}`}>
      {holds === 0 ? 'Holds in no case' : `Holds in ${holds}`}, not in {doesNotHold}
      {sides.length > 0 && (
        <span class="block small">
          <span aria-hidden="true">
            {sides.map(({ words, isReached }) => (
              <span key={words} title={isReached ? words : `${words}: no case`}>
                {isReached ? '■' : '□'}
              </span>
            ))}
          </span>{' '}
          {met} of {sides.length} sides of limits
        </span>
      )}
    </td>
  );
}
