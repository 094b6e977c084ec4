import { beforeEach, expect, test } from 'vitest'
import type { Connector, ProviderHealth } from './connector.ts'
import { createDownWatch, healthReader } from './health.ts'

let now: number
let checks: number
let health: () => Promise<ProviderHealth>
const clock = { now: () => new Date(now) }
const connector = {
  id: 'scripted',
  health: () => {
    checks += 1
    return health()
  },
} as Connector

beforeEach(() => {
  now = 0
  checks = 0
  health = async () => 'operational'
})

/** Lets a started check end. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

test('a watch returns at once the result of the last check, and checks again after ten seconds', async () => {
  health = async () => 'down'
  const isDown = createDownWatch(clock)
  expect(isDown(connector)).toBe(false)
  await settle()
  expect(isDown(connector)).toBe(true)
  health = async () => 'degraded'
  now = 9999
  isDown(connector)
  await settle()
  expect([isDown(connector), checks]).toEqual([true, 1])
  now = 10_000
  expect(isDown(connector)).toBe(true)
  await settle()
  expect([isDown(connector), checks]).toEqual([false, 2])
})

test('a provider whose check fails, at once or later, is down', async () => {
  for (const fail of [
    () => Promise.reject(new Error('no route')),
    () => {
      throw new Error('at once')
    },
  ]) {
    health = fail
    expect(await healthReader(clock, connector)?.()).toBe('down')
  }
})

test('a provider without a check is never down', async () => {
  const isDown = createDownWatch(clock)
  const silent = { id: 'silent' } as Connector
  expect(healthReader(clock, silent)).toBeNull()
  isDown(silent)
  await settle()
  expect(isDown(silent)).toBe(false)
})
