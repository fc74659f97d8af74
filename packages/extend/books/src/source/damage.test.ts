import { expect, it } from 'vitest';
import { DamageError, damageOf } from './damage.ts';

it.each<[string, unknown, string]>([
  ['an error of ours', new DamageError('a page reaches beyond its column'), 'a page reaches beyond its column'],
  ['an error of a decoder', new Error('incorrect header check.'), 'incorrect header check'],
  ['an error of code', new TypeError("Cannot read properties of undefined (reading '0')"), 'do not have the form'],
  ['an error of the engine', new RangeError('Invalid typed array length: 69657'), 'do not have the form'],
  [
    'too many bytes',
    Object.assign(new RangeError('Cannot'), { code: 'ERR_BUFFER_TOO_LARGE' }),
    'more than they declare',
  ],
])('gives the damage of a file for %s', (_, error, damage) => {
  expect(damageOf(error)).toContain(damage);
});
