import { isObject, pointer } from '@leeward/terms';
import type { AnalysisContext } from './analysis-context.ts';

/** Finds shared conditions that no rule uses. */
export function findUnusedConditions({ ruleSet, findings }: AnalysisContext): void {
  const { file } = ruleSet;
  if (!isObject(file) || !isObject(file['conditions'])) return;
  const { conditions, ...others } = file;
  const shared = new Map(Object.entries(conditions));
  const used = new Set<string>();
  const open: unknown[] = [others];
  while (open.length > 0) {
    const node = open.pop();
    if (typeof node !== 'object' || node === null) continue;
    open.push(...Object.values(node));
    const name = isObject(node) ? node['condition'] : undefined;
    if (typeof name !== 'string' || used.has(name)) continue;
    used.add(name);
    open.push(shared.get(name));
  }
  for (const name of shared.keys()) {
    if (used.has(name)) continue;
    findings.push({
      code: 'unused_condition',
      path: `/conditions${pointer(name)}`,
      severity: 'warning',
      message: `No rule uses the shared condition "${name}": remove it, or use it in a rule.`,
    });
  }
}
