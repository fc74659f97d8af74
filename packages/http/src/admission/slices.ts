/**
 * Work on many things that leaves the event loop to others every few milliseconds. Before each thing, right before it begins:
 * `while (slices.isOver()) await slices.nextTurn();`
 */
export interface Slices {
  isOver(): boolean;
  nextTurn(): Promise<void>;
}

/** Short beside what anybody notices, long beside what a turn of the event loop costs. */
const usualSliceMs = 4;

export function createSlices(sliceMs = usualSliceMs, nowMs: () => number = () => performance.now()): Slices {
  let beganMs = nowMs();
  let turn: Promise<void> | undefined;
  return {
    isOver: () => nowMs() - beganMs >= sliceMs,
    nextTurn() {
      turn ??= new Promise((resolve) => {
        setImmediate(() => {
          beganMs = nowMs();
          turn = undefined;
          resolve();
        });
      });
      return turn;
    },
  };
}
