/** Passes messages to a worker, including those that arrive before it is loaded. A failed load is an error event of the worker. */
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
