import type { Vocabulary } from '@leeward/engine';
import type { BookColumns } from '../columns/book-columns.ts';
import type { BookGroup, BookTables } from '../planes/book-tables.ts';
import { ROWS_A_BLOCK } from '../planes/encoded-rows.ts';
import { BlockReasons, MORATORIUM, RULE_CODES } from '../tally/count-reasons.ts';
import { createReasonCounter, type ReasonCounter } from '../tally/reason-counter.ts';
import type { BookTally } from '../tally/tally.ts';
import { BlockEvaluator } from './block-evaluator.ts';
import { createLoneCarrier, type LoneCarrier, SEARCHED } from './lone-carrier.ts';

/** Evaluates rows of one policy type by one group of carriers. */
export class GroupEvaluator {
  readonly #group: BookGroup;
  readonly #carrierCount: number;
  readonly #vocabulary: Vocabulary;
  readonly #asOfMs: number;
  readonly #effectiveDate: string;
  /** True if the group has all carriers of the catalog, in its order: codes are then written in place. */
  readonly #isInOrder: boolean;
  readonly #lone: LoneCarrier | undefined;
  readonly #starts = new Int32Array(ROWS_A_BLOCK);
  /** Codes of a block, unless they are written in place. */
  readonly #scratch: Uint8Array<ArrayBuffer>;
  #loneCodes = new Uint8Array(0);
  #evaluator: BlockEvaluator | undefined;
  #counting: { readonly reasons: BlockReasons; readonly counter: ReasonCounter } | undefined;

  constructor(group: BookGroup, { carrierCount, asOfMs, effectiveDate }: BookTables, vocabulary: Vocabulary) {
    const { carriers } = group;
    this.#group = group;
    this.#carrierCount = carrierCount;
    this.#vocabulary = vocabulary;
    this.#asOfMs = asOfMs;
    this.#effectiveDate = effectiveDate;
    this.#isInOrder = carriers.length === carrierCount && carriers.every((carrier, index) => carrier === index);
    this.#lone = createLoneCarrier(group, vocabulary, asOfMs);
    this.#scratch = new Uint8Array(this.#isInOrder ? 0 : ROWS_A_BLOCK * carriers.length);
  }

  /** Writes the codes of `rows` into `codes`, which begins with row `start`. With a tally, a maximum of `MAX_COUNTED` rows. */
  evaluate(
    columns: BookColumns,
    rows: Int32Array,
    start: number,
    codes: Uint8Array,
    tally: BookTally | undefined,
  ): void {
    if (tally) this.#evaluateAndCount(columns, rows, start, codes, tally);
    else if (this.#lone && !columns.lists.some((list) => list))
      this.#evaluateAlone(this.#lone, columns, rows, start, codes);
    else this.#evaluateBlocks(columns, rows, start, codes);
  }

  #evaluateAndCount(columns: BookColumns, rows: Int32Array, start: number, codes: Uint8Array, tally: BookTally): void {
    const { table, reasons, carriers } = this.#group;
    this.#counting ??= {
      reasons: new BlockReasons(reasons, this.#blockEvaluator().widths),
      counter: createReasonCounter(RULE_CODES + reasons.codes.length, table.carrierCount),
    };
    const { counter, reasons: blockReasons } = this.#counting;
    this.#evaluateBlocks(columns, rows, start, codes, (evaluator, count) => {
      blockReasons.count(evaluator.block, count, evaluator.declines, (row) => evaluator.stateOf(row), counter);
      if (evaluator.places.hasMoratoria) countMoratoria(evaluator, count, counter);
    });
    tally.addReasons(reasons.codes, carriers, counter);
  }

  /** Evaluates a single carrier. Rows that need a search are evaluated as blocks. */
  #evaluateAlone(lone: LoneCarrier, columns: BookColumns, rows: Int32Array, start: number, codes: Uint8Array): void {
    if (this.#loneCodes.length < rows.length) this.#loneCodes = new Uint8Array(rows.length);
    const alone = this.#loneCodes;
    const carrier = this.#group.carriers[0]!;
    lone(columns, rows, alone);
    const searched: number[] = [];
    rows.forEach((row, index) => {
      if (alone[index] === SEARCHED) searched.push(row);
      else codes[(row - start) * this.#carrierCount + carrier] = alone[index]!;
    });
    if (searched.length > 0) this.#evaluateBlocks(columns, Int32Array.from(searched), start, codes);
  }

  #evaluateBlocks(
    columns: BookColumns,
    rows: Int32Array,
    start: number,
    codes: Uint8Array,
    onBlock?: (evaluator: BlockEvaluator, count: number) => void,
  ): void {
    const evaluator = this.#blockEvaluator();
    const { carriers } = this.#group;
    const starts = this.#starts;
    const into = this.#isInOrder ? codes : this.#scratch;
    const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
    for (let from = 0; from < rows.length; from += ROWS_A_BLOCK) {
      const count = Math.min(ROWS_A_BLOCK, rows.length - from);
      for (let index = 0; index < count; index++)
        starts[index] = this.#isInOrder ? (rows[from + index]! - start) * this.#carrierCount : index * carriers.length;
      this.#scratch.fill(0);
      evaluator.evaluate(columns, rows, from, count, view, starts);
      onBlock?.(evaluator, count);
      if (this.#isInOrder) continue;
      for (let index = 0; index < count; index++) {
        const at = (rows[from + index]! - start) * this.#carrierCount;
        const row = index * carriers.length;
        for (let each = 0; each < carriers.length; each++) codes[at + carriers[each]!] = this.#scratch[row + each]!;
      }
    }
  }

  #blockEvaluator(): BlockEvaluator {
    this.#evaluator ??= new BlockEvaluator(this.#group, this.#vocabulary, this.#asOfMs, this.#effectiveDate);
    return this.#evaluator;
  }
}

function countMoratoria(evaluator: BlockEvaluator, count: number, counter: ReasonCounter): void {
  for (let row = 0; row < count; row++) {
    if ((evaluator.declines.low[row]! | evaluator.declines.high[row]!) === 0) continue;
    const stopped = [0, 0];
    evaluator.places.eachMoratorium(row, (word, bit, isCertain) => {
      if (isCertain) stopped[word]! |= bit;
    });
    const { offeredLow, offeredHigh } = evaluator.stateOf(row);
    counter.add(MORATORIUM, stopped[0]! & offeredLow, stopped[1]! & offeredHigh);
  }
}
