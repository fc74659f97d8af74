/**
 * Passes messages of the page to a worker, including those that arrive before its data is loaded. If loading fails, the
 * page receives the error event of the worker.
 */
export function answerWhenLoaded(load: () => Promise<{ readonly answer: (data: never) => void }>): void {
  const program = load();
  program.catch(reportError);
  addEventListener('message', ({ data }) => {
    program.then(
      ({ answer }) => answer(data as never),
      () => {},
    );
  });
}
