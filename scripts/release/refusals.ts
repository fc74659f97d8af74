/** The state of a tree and of the place that releases it. */
export interface ReleaseState {
  /** Changed and untracked files, from git. */
  readonly changed: readonly string[];
  /** Versions of the packages that would be published, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Source repository of each package, by name. */
  readonly repositories: Readonly<Record<string, string | undefined>>;
  /** Changesets that no version was raised for. */
  readonly changesets: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isDryRun: boolean;
}

/** Reasons against publishing; empty if the tree may be published. A dry run checks only what it can. */
export function refusals(state: ReleaseState): string[] {
  const { changed, versions, repositories, changesets, environment, isDryRun } = state;
  const found: string[] = [];
  const distinct = [...new Set(Object.values(versions))];
  if (changed.length > 0) found.push(`The tree is not what is committed: ${changed.join(', ')}.`);
  if (distinct.length !== 1)
    found.push(`Packages are released together, with one version; they have ${distinct.join(', ')}.`);
  if (isDryRun) return found;
  if (distinct.includes('0.0.0')) found.push('The version is 0.0.0: raise it with .ci/version.');
  if (changesets.length > 0) found.push(`Changesets wait for a version: ${changesets.join(', ')}. Run .ci/version.`);
  if (!environment['ACTIONS_ID_TOKEN_REQUEST_URL'])
    found.push('Without an OIDC token there is no provenance: publish from the release workflow.');
  if (environment['NPM_CONFIG_PROVENANCE'] !== 'true') found.push('NPM_CONFIG_PROVENANCE is not true.');
  const built = `git+https://github.com/${environment['GITHUB_REPOSITORY']}.git`;
  const elsewhere = Object.keys(repositories).filter((name) => repositories[name] !== built);
  if (elsewhere.length > 0)
    found.push(
      `npm signs no provenance for a source that is not where it is built, ${built}: ${elsewhere.join(', ')}.`,
    );
  return found;
}
