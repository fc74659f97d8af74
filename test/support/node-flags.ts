/** Much test code runs only a few thousand times: optimizing it took a quarter of the test time. */
const compilesLater = ['--invocation-count-for-maglev=2000', '--invocation-count-for-turbofan=100000'];

/** Flags to run the source with Node. */
export const sourceFlags = ['--conditions=@leeward/source', '--disable-warning=ExperimentalWarning'];

/** Flags for test workers and for every process they start. */
export const nodeFlags: readonly string[] = [
  ...sourceFlags,
  // Named for the engine of this release; another may not know them.
  ...(process.versions.node.startsWith('24.') ? compilesLater : []),
];
