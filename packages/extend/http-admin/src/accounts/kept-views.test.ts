import { expect, it } from 'vitest';
import { createKeptViews, type View } from './kept-views.ts';

const file = (bytes: number) => ({ checked: {}, bytes });

it('limits views by memory, and counts shared files once', () => {
  const views = createKeptViews<View>(1_000);
  const shared = file(400);
  const of = (...heldFiles: View['heldFiles']): View => ({ heldFiles });
  views.set('a', '1', of(shared, file(100)), 10);
  views.set('b', '1', of(shared, shared, file(100)), 10);
  expect(views.bytes).toBe(400 + 2 * 110);
  expect(views.get('a', '2')).toBeUndefined();
  expect(views.get('a', '1')?.heldFiles[0]).toBe(shared);
  // Drops the view that was unused longest; views that others still hold stay counted.
  views.set('c', '1', of(shared, file(450)), 10);
  expect(views.get('b', '1')).toBeUndefined();
  expect(views.get('a', '1')).toBeDefined();
  expect(views.bytes).toBe(400 + 110 + 460);
  views.set('a', '2', of(file(50)), 10);
  expect(views.bytes).toBe(400 + 460 + 60);
  views.delete('c');
  expect(views.bytes).toBe(60);
});

it('keeps the newest view even if it exceeds the limit', () => {
  const views = createKeptViews<View>(100);
  views.set('small', '1', { heldFiles: [file(50)] }, 1);
  views.set('large', '1', { heldFiles: [file(500)] }, 1);
  expect(views.get('large', '1')).toBeDefined();
  expect(views.get('small', '1')).toBeUndefined();
  views.set('small', '1', { heldFiles: [file(50)] }, 1);
  expect(views.get('large', '1')).toBeUndefined();
  expect(views.bytes).toBe(51);
});
