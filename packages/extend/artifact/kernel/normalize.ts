// Numbers as people write them: an age or a year, years of two digits, whole numbers, ranges.
import { header, inputAt, Interval, record } from './image';

const NOT_WHOLE: u8 = 1;
const OUT_OF_RANGE: u8 = 2;
const NOT_A_NUMBER: u8 = 3;
const YEAR_OF_TWO_DIGITS = 1;
const AGE_OR_YEAR = 2;
export const FIRST_YEAR: f64 = 1600;
const OLDEST_AGE: f64 = 200;

/**
 * Converts a column of numbers to the values of an input.
 *
 * @param validity Bits of valid values from `bitOffset` on, lowest first; 0 if all are valid. NaN is a missing value as well.
 * @param intervals By row; its year decides the meaning of ages.
 * @param faults Gets 0, or 1 for a fraction, 2 for a number out of range, 3 for infinity.
 * @returns the number of faulty rows; their value is missing.
 */
export function normalize(
  input: u32, values: usize, validity: usize, bitOffset: u32, intervals: usize, rows: u32, out: usize, faults: usize,
): u32 {
  if (input >= header.inputCount) return 0;
  let faulty: u32 = 0;
  for (let row: u32 = 0; row < rows; row++) {
    const bit = bitOffset + row;
    const isValid = validity == 0 || ((load<u8>(validity + (bit >> 3)) >> <u8>(bit & 7)) & 1) == 1;
    const interval = <u32>load<u16>(intervals + 2 * row);
    const year = interval < header.intervalCount ? record<Interval>(header.intervals, interval, 16).year : 0;
    let value = isValid ? load<f64>(values + 8 * row) : NaN;
    const fault = value == value ? faultOf(input, value, year) : 0;
    if (fault != 0) {
      faulty++;
      value = NaN;
    } else value = valueOf(input, value, year);
    store<f64>(out + 8 * row, value);
    store<u8>(faults + row, fault);
  }
  return faulty;
}

function valueOf(input: u32, value: f64, year: f64): f64 {
  const form = inputAt(input).form;
  if (form == YEAR_OF_TWO_DIGITS && value <= 99) return value + Math.floor((year + 1 - value) / 100) * 100;
  // Adding zero turns -0 into 0.
  return form == AGE_OR_YEAR && value <= OLDEST_AGE ? year - value : value + 0;
}

function faultOf(input: u32, value: f64, year: f64): u8 {
  const checked = inputAt(input);
  if (value - value != 0) return NOT_A_NUMBER;
  if (checked.integer != 0 && Math.floor(value) != value) return NOT_WHOLE;
  const axis = valueOf(input, value, year);
  const isYear = checked.form != 0;
  const min = isYear ? FIRST_YEAR : checked.min;
  const max = isYear ? year + 1 : checked.max;
  return axis >= min && axis <= max && (value >= 0 || !isYear) ? 0 : OUT_OF_RANGE;
}
