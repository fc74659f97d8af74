import { describe, expect, it } from 'vitest';
import { fillTemplate } from './template.ts';

const values = { fields: { roof: 'metal', pool: null, stories: '2' } };

describe('a mapped value', () => {
  it.each([
    ['is what the map has', { $value: 'fields.roof', map: { metal: 'MTL' }, otherwise: 'OTH' }, 'MTL'],
    [
      'is the other word where the map has none',
      { $value: 'fields.roof', map: { tile: 'TIL' }, otherwise: 'OTH' },
      'OTH',
    ],
    ['is the other word where nothing is given', { $value: 'fields.spa', otherwise: 'OTH' }, 'OTH'],
    ['is the other word where null is given', { $value: 'fields.pool', otherwise: 'N' }, 'N'],
    [
      'is the other word where null is given and mapped',
      { $value: 'fields.pool', map: { true: 'Y' }, otherwise: 'N' },
      'N',
    ],
    ['is null where the other word is null', { $value: 'fields.roof', map: {}, otherwise: null, as: 'string' }, null],
    ['stays null without another word, whatever type is asked for', { $value: 'fields.pool', as: 'string' }, null],
    ['is cast', { $value: 'fields.stories', as: 'number' }, 2],
    ['casts the other word as well', { $value: 'fields.spa', otherwise: 0, as: 'boolean' }, false],
  ])('%s', (_, template, expected) => {
    expect(fillTemplate({ at: template }, values)).toEqual({ at: expected });
  });

  it('is omitted without a value and without `otherwise`', () => {
    expect(fillTemplate({ at: { $value: 'fields.spa', as: 'string' } }, values)).toEqual({});
    expect(fillTemplate([{ $value: 'fields.roof', map: { tile: 'T' } }], values)).toEqual([]);
  });
});
