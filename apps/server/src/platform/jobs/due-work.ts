import type { BackgroundTasks } from '../async/background-tasks.ts'

/**
 * Takes as many due rows as there are free places, starts their work, and does not wait for it: work that hangs occupies one place.
 * @param name of the work among the background tasks, by which its places are counted
 * @returns the started work
 */
export async function startDue<Row>(
  tasks: BackgroundTasks,
  name: string,
  places: number,
  take: (limit: number) => Promise<readonly Row[]>,
  run: (row: Row) => Promise<unknown>,
): Promise<readonly Promise<unknown>[]> {
  const free = places - tasks.count(name)
  if (free <= 0) return []
  const started = (await take(free)).map(run)
  for (const each of started) tasks.start(name, each)
  return started
}

/**
 * Works on all due rows in batches, on each row once in a round: a row that fails delays no other, and is found again in the next round.
 * @param find the rows after the last one of the previous batch
 */
export async function inBatches<Row>(
  size: number,
  find: (limit: number, last: Row | null) => Promise<readonly Row[]>,
  work: (rows: readonly Row[]) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  let last: Row | null = null
  do {
    const due = await find(size, last)
    await work(due)
    last = due.length < size ? null : (due.at(-1) ?? null)
  } while (last !== null && !signal?.aborted)
}
