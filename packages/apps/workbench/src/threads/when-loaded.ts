/**
 * Hands messages of the page to a program beside it, those too that come before it is loaded: it may wait for its data. Where it
 * cannot be loaded, the page is told by the error of its worker.
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
