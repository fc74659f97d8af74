import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The groups of packages, lowest first. A package imports from the same group or an earlier one. */
export const packageGroups = ['core', 'extend', 'apps'] as const;
export type PackageGroup = (typeof packageGroups)[number];

export interface PackageFolder {
  /** Name of the folder: `engine`. */
  readonly name: string;
  readonly group: PackageGroup;
  /** Relative to the workspace: `packages/core/engine`. */
  readonly path: string;
}

/** All npm packages of a workspace, sorted by name. A workspace may lack a group. */
export function packageFolders(root: string): PackageFolder[] {
  return packageGroups
    .filter((group) => existsSync(join(root, 'packages', group)))
    .flatMap((group) =>
      readdirSync(join(root, 'packages', group), { withFileTypes: true })
        .filter(({ name }) => existsSync(join(root, 'packages', group, name, 'package.json')))
        .map(({ name }) => ({ name, group, path: `packages/${group}/${name}` })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
