import { setTimeout as sleep } from 'node:timers/promises'

/** Enough for a busy machine. */
const TIMEOUT_MS = 60_000
const POLL_MS = 50

/** Repeats a reading until it has a result. @throws after a minute */
export async function until<Result>(
  awaited: string,
  read: () => Promise<Result | undefined>,
): Promise<Result> {
  for (const giveUpAt = performance.now() + TIMEOUT_MS; performance.now() < giveUpAt; await sleep(POLL_MS)) {
    const result = await read()
    if (result !== undefined) return result
  }
  throw new Error(`${awaited} did not arrive`)
}
