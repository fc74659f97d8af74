/** Much of what tests run, they run a few thousand times: to compile it for a long life was a quarter of their time. */
const compilesLater = ['--invocation-count-for-maglev=2000', '--invocation-count-for-turbofan=100000'];

/** With what Node runs the source as it stands. */
export const sourceFlags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];

/** With what tests run it: in their workers, and in every process that they start. */
export const nodeFlags: readonly string[] = [
  ...sourceFlags,
  // Named for the engine of this release; another may not know them.
  ...(process.versions.node.startsWith('24.') ? compilesLater : []),
];
