import { constants } from 'node:os'
import { Piscina } from 'piscina'
import { AppError } from '../../../platform/errors.ts'
import type { HashTask, VerifyTask } from './hashing-worker.ts'

/** Waiting tasks hold their requests, and anybody may cause one. */
const WAITING_MAX = 50
/** A thread that finishes a task finds the next one in its own inbox and does not wait for the main thread. */
const TASKS_PER_THREAD = 2

/**
 * Runs a task on a hashing thread. The threads have a lower priority than the rest of the process: hashing takes the processor time that
 * is left over, and does not delay other requests.
 * @throws AppError service_unavailable when the queue is full
 */
export const hash = (task: HashTask, threads: number): Promise<string> => run('hash', task, threads)
export const verify = (task: VerifyTask, threads: number): Promise<boolean> => run('verify', task, threads)

const pools = new Map<number, Piscina>()

async function run<Result>(name: string, task: HashTask | VerifyTask, threads: number): Promise<Result> {
  const pool = pools.get(threads) ?? createPool(threads)
  pools.set(threads, pool)
  if (pool.queueSize >= pool.options.maxQueue)
    throw new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
  return pool.run(task, { name })
}

const createPool = (threads: number): Piscina =>
  new Piscina({
    filename: new URL('./hashing-worker.ts', import.meta.url).href,
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    concurrentTasksPerWorker: TASKS_PER_THREAD,
    maxQueue: WAITING_MAX - (TASKS_PER_THREAD - 1) * threads,
    // On Linux a thread has a priority of its own; elsewhere the increment would apply to the whole process.
    niceIncrement: process.platform === 'linux' ? constants.priority.PRIORITY_BELOW_NORMAL : 0,
  })
