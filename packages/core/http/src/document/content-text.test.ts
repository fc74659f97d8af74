import { expect, it } from 'vitest';
import { guarded, type OpenOperation } from '../operation/operation.ts';
import { contentWrittenLater, writeSchemas } from './content-text.ts';

it('makes each schema once, on first use, and yields between them', async () => {
  const said: string[] = [];
  const content = (name: string) =>
    contentWrittenLater(name, () => {
      said.push(name);
      return { type: 'object' };
    });
  const text = { tag: 'own', summary: 'An operation' } as const;
  const read: OpenOperation = {
    ...text,
    method: 'get',
    path: '/own',
    operationId: 'readOwn',
    access: 'anyone',
    answers: {
      200: { description: 'It.', content: content('Own') },
      406: { description: 'No.', content: 'text/plain' },
    },
    handle: () => ({ status: 200, body: {} }),
  };
  const change = guarded<undefined>({
    ...text,
    method: 'post',
    path: '/own',
    operationId: 'changeOwn',
    access: { scopes: ['admin'] },
    requestBody: content('Change'),
    answers: { 200: { description: 'Done.', content: content('Changed') } },
    locate: () => undefined,
    handle: () => ({ status: 200, body: {} }),
  });
  const groups = [{ name: 'own', description: 'Ours.', operations: [read, change] }];
  expect(said).toEqual([]);
  const turn = {
    rest() {
      if (said.at(-1) !== 'rest') said.push('rest');
      return undefined;
    },
  };
  await writeSchemas(groups, turn);
  const inTurns = ['Own', 'rest', 'Changed', 'rest', 'Change', 'rest'];
  expect(said).toEqual(inTurns);
  await writeSchemas(groups, turn);
  expect(said).toEqual(inTurns);
});
