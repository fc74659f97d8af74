import type { Operation } from '@leeward/accounts';
import { commandLine } from './with-accounts.ts';

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/** Everything that a list holds, page after page. */
export async function everyPage<Item>(list: Operation<Page<Item>>, body: object): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page<Item> = await list.run(commandLine, { ...body, limit: 200, ...(cursor !== null && { cursor }) });
    items.push(...page.items);
    if (page.next === null) return items;
    cursor = page.next;
  }
}
