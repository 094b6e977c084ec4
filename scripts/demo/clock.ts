import type { Clock } from '../../apps/server/src/platform/clock.ts'

/** A sequence of steps: between two steps it yields the time of the next one, in milliseconds since 1970. */
export type Course = AsyncGenerator<number, void, void>

interface Waiting {
  readonly at: number
  /** The position of the course, which decides between two courses with the same time. */
  readonly place: number
  readonly course: Course
}

/** A clock that is paused during a step and then moves to the next one. */
export interface Timeline {
  readonly clock: Clock
  /** Runs the steps of all courses in the order of their times, until now. */
  play(courses: readonly Course[], now: number): Promise<void>
}

export function createTimeline(start: number): Timeline {
  let at = start

  async function play(courses: readonly Course[], now: number): Promise<void> {
    const waiting: Waiting[] = courses.map((course, place) => ({ at: start, place, course }))
    for (let next = earliest(waiting); next !== undefined && next.at <= now; next = earliest(waiting)) {
      at = Math.max(at, next.at)
      const { value, done } = await next.course.next()
      if (!done) waiting.push({ ...next, at: Math.max(at, value) })
    }
  }

  return { clock: { now: () => new Date(at) }, play }
}

/** Removes the earliest one. A linear search suffices for the number of courses. */
function earliest(waiting: Waiting[]): Waiting | undefined {
  let found = 0
  for (const [index, { at, place }] of waiting.entries()) {
    const best = waiting[found] as Waiting
    if (at < best.at || (at === best.at && place < best.place)) found = index
  }
  return waiting.splice(found, 1)[0]
}
