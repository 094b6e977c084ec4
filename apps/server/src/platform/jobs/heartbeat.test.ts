import { describe, expect, test } from 'vitest'
import { createLog } from '../log.ts'
import { createHeartbeat } from './heartbeat.ts'
import { repeatTask } from './periodic-task.ts'

const START = Date.parse('2026-11-20T09:30:00.000Z')

function setUp() {
  let now = START
  const heartbeat = createHeartbeat({ now: () => new Date(now) })
  return {
    heartbeat,
    advance: (ms: number) => {
      now += ms
    },
  }
}

describe('the heartbeat of the worker', () => {
  test('beats when every part has run within its pause and ten seconds', () => {
    const { heartbeat, advance } = setUp()
    const often = heartbeat.watch('often', 500)
    const seldom = heartbeat.watch('seldom', 30_000)
    advance(10_500)
    expect(heartbeat.state()).toBe('operational')
    advance(1)
    expect(heartbeat.state()).toBe('degraded')
    often()
    expect(heartbeat.state()).toBe('operational')
    advance(60_000)
    expect(heartbeat.state()).toBe('down')
    seldom()
    expect(heartbeat.state()).toBe('degraded')
  })

  test('does not beat where nothing runs', () => {
    expect(setUp().heartbeat.state()).toBe('down')
  })

  test('counts the rounds of a task that works, and not those of one that fails', async () => {
    const rounds = { good: 0, bad: 0 }
    const log = createLog('silent')
    const good = repeatTask({ name: 'good', pauseMs: 1, run: async () => undefined }, log, () => {
      rounds.good += 1
    })
    const fails = () => Promise.reject(new Error('away'))
    const bad = repeatTask({ name: 'bad', pauseMs: 1, run: fails }, log, () => {
      rounds.bad += 1
    })
    while (rounds.good < 3) await new Promise((resolve) => setTimeout(resolve, 1))
    await Promise.all([good.stop(), bad.stop()])
    expect(rounds.bad).toBe(0)
  })
})
