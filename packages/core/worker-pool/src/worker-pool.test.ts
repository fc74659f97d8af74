import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { describe, expect, it, onTestFinished } from 'vitest';
import type * as tasks from './testing/tasks.program.ts';
import { createWorkerPool, type PoolTask, type WorkerPoolOptions } from './worker-pool.ts';

const module = import.meta.resolve('./testing/tasks.program.ts');
type Tasks = typeof tasks;
type TaskNamed<Name extends keyof Tasks> = PoolTask<Parameters<Tasks[Name]>[0], Awaited<ReturnType<Tasks[Name]>>>;
const task = <Name extends keyof Tasks>(name: Name): TaskNamed<Name> => ({ module, name });

function openPool(options?: WorkerPoolOptions) {
  const pool = createWorkerPool(options);
  onTestFinished(() => pool.close());
  return pool;
}

describe('a worker pool', () => {
  it('runs a function of a module on a thread and returns its result', async () => {
    const pool = openPool();
    expect(await pool.run(task('sum'), [1, 2, 3])).toBe(6);
    expect(pool.stats).toEqual({ threads: 1, running: 0, waiting: 0 });
  });

  it('rejects with the error of the task', async () => {
    const pool = openPool();
    await expect(pool.run(task('fail'), 'too far')).rejects.toThrow(new RangeError('too far'));
    expect(await pool.run(task('sum'), [4])).toBe(4);
  });

  it('runs at most as many tasks at the same time as it has threads', async () => {
    const pool = openPool({ maxThreads: 2 });
    const all = Array.from({ length: 5 }, () => pool.run(task('rest'), 5));
    expect(pool.stats).toMatchObject({ running: 2, waiting: 3 });
    expect(new Set(await Promise.all(all)).size).toBeLessThanOrEqual(2);
  });

  it('ends the thread of a task that is aborted, and no other', async () => {
    const pool = openPool({ maxThreads: 2 });
    const controller = new AbortController();
    await pool.run(task('sum'), []);
    const endless = pool.run(task('spin'), undefined, { signal: controller.signal });
    const other = pool.run(task('rest'), 20);
    const reason = new Error('The caller is gone.');
    await pool.run(task('sum'), [], { signal: AbortSignal.abort(reason) }).then(
      () => expect.unreachable(),
      (error) => expect(error).toBe(reason),
    );
    controller.abort(reason);
    await expect(endless).rejects.toBe(reason);
    expect(await other).toBeGreaterThan(0);
    expect(pool.stats).toMatchObject({ running: 0, threads: 1 });
  });

  it('rejects a waiting task that is aborted, and runs the ones behind it', async () => {
    const pool = openPool({ maxThreads: 1 });
    const controller = new AbortController();
    const first = pool.run(task('rest'), 10);
    const second = pool.run(task('sum'), [1], { signal: controller.signal });
    const third = pool.run(task('sum'), [2]);
    controller.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await first;
    expect(await third).toBe(2);
  });

  it('ends a task at its deadline', async () => {
    const pool = openPool({ maxThreads: 1 });
    await expect(pool.run(task('spin'), undefined, { timeoutMs: 20 })).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(await pool.run(task('sum'), [1, 1])).toBe(2);
  });

  it('ends a task that needs too much memory, and the process goes on', async () => {
    const pool = openPool({ maxThreads: 1, maxMemoryMb: 24 });
    await expect(pool.run(task('fillMemory'), undefined)).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' });
    expect(await pool.run(task('sum'), [3])).toBe(3);
  });

  it('takes one task of each tenant in turn', async () => {
    const pool = openPool({ maxThreads: 1 });
    const ended: string[] = [];
    const run = (tenant: string, name: string) =>
      pool.run(task('sum'), [], { tenant }).then(() => void ended.push(name));
    await Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1'), run('c', 'c1'), run('b', 'b2')]);
    expect(ended).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('leaves one thread to short tasks', async () => {
    const pool = openPool({ maxThreads: 2 });
    const controller = new AbortController();
    const { signal } = controller;
    const long = [1, 2].map(() => pool.run(task('spin'), undefined, { isLong: true, signal }));
    expect(pool.stats).toMatchObject({ running: 1, waiting: 1 });
    expect(await pool.run(task('sum'), [5])).toBe(5);
    controller.abort(new Error('enough'));
    for (const each of long) await expect(each).rejects.toThrow('enough');
  });

  it('ends idle threads', async () => {
    const pool = openPool({ idleMs: 1 });
    await pool.run(task('sum'), []);
    await expect.poll(() => pool.stats.threads).toBe(0);
    expect(await pool.run(task('sum'), [7])).toBe(7);
  });

  it('moves message ports, so that a task can stream', async () => {
    const pool = openPool();
    const { port1, port2 } = new MessageChannel();
    const result = pool.run({ ...task('double') }, { port: port2 } as never, { transfer: [port2] });
    port1.postMessage(21);
    expect(await once(port1, 'message')).toEqual([42]);
    port1.postMessage(null);
    expect(await result).toBe('done');
  });

  it('rejects what runs, what waits and what comes after it is closed', async () => {
    const pool = createWorkerPool({ maxThreads: 1 });
    await pool.run(task('sum'), []);
    const running = pool.run(task('spin'), undefined);
    const waiting = pool.run(task('sum'), []);
    const ends = [expect(running).rejects.toThrow(), expect(waiting).rejects.toThrow('closed')];
    await new Promise(setImmediate);
    await pool.close();
    await Promise.all(ends);
    await expect(pool.run(task('sum'), [])).rejects.toThrow('closed');
  });

  const runProgram = async (flags: readonly string[] = []) => {
    const url = JSON.stringify(import.meta.resolve('./worker-pool.ts'));
    const code = `const { createWorkerPool } = await import(${url});
      const pool = createWorkerPool();
      const sum = pool.run({ module: ${JSON.stringify(module)}, name: 'sum' }, [20, 3]);
      console.log(await sum.catch((error) => error.message + ' ' + error.cause?.message));`;
    return promisify(execFile)(process.execPath, [...flags, '--input-type=module', '--eval', code]);
  };

  it('runs in a program that is given on the command line', async () => {
    expect((await runProgram()).stdout).toBe('23\n');
  });

  it('rejects a task if its thread cannot start', async () => {
    const refuse = `import { isMainThread } from 'node:worker_threads'; if (!isMainThread) throw new Error('Not here.');`;
    const { stdout } = await runProgram([`--import=data:text/javascript,${encodeURIComponent(refuse)}`]);
    expect(stdout).toBe('A worker thread could not start. Not here.\n');
  });

  it('rejects too little memory', () => {
    expect(() => createWorkerPool({ maxMemoryMb: 1 })).toThrow('maxMemoryMb is 1');
  });

  it('rejects zero threads', () => {
    expect(() => createWorkerPool({ maxThreads: 0 })).toThrow('maxThreads is 0');
  });
});
