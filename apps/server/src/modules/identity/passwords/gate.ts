import { AppError } from '../../../platform/errors.ts'

/** Lets so many pieces of work run at once, so many more wait for their turn, and turns the rest away at the door. */
export function createGate(limits: { atOnce: number; waiting: number }) {
  const queue: (() => void)[] = []
  let running = 0

  return async function pass<T>(work: () => Promise<T>): Promise<T> {
    if (running < limits.atOnce) running += 1
    else if (queue.length < limits.waiting) await new Promise<void>((resolve) => queue.push(resolve))
    else throw new AppError('service_unavailable', { headers: { 'retry-after': '1' } })
    try {
      return await work()
    } finally {
      // The place is handed on rather than given up, so that a newcomer cannot slip in before who waits.
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
