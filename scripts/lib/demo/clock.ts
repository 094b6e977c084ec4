import type { Clock } from '../../../apps/server/src/platform/clock.ts'

/** A time that its holder moves. */
export interface HandClock extends Clock {
  forward(ms: number): void
}

export function createClock(start: number): HandClock {
  let at = start
  return {
    now: () => new Date(at),
    forward: (ms) => {
      at += ms
    },
  }
}
