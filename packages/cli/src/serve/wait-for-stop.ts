/** Resolves at the first request to stop. A second one ends the process at once. */
export function waitForStop(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const ask = (signal: NodeJS.Signals) => {
      if (asked) process.exit(130);
      asked = true;
      resolve(signal);
    };
    process.on('SIGINT', ask);
    process.on('SIGTERM', ask);
  });
}
