import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accountLockout, addressLockout, DAY_MS, HOUR_MS, MINUTE_MS, throttles } from './throttles.ts'

const document = readFileSync(new URL('../../../../../docs/security.md', import.meta.url), 'utf8')

/** The rows of the table below a heading, without the head. */
function tableBelow(heading: string): string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  const lines = text.split('\n')
  const start = lines.findIndex((line) => line.startsWith('|---'))
  const end = lines.findIndex((line, n) => n > start && !line.startsWith('|'))
  return lines.slice(start + 1, end)
}

function inWords(ms: number): string {
  const units = [
    [DAY_MS, 'day'],
    [HOUR_MS, 'hour'],
    [MINUTE_MS, 'minute'],
    [1000, 'second'],
  ] as const
  const [unitMs, unit] = units.find(([each]) => ms % each === 0) ?? [1, 'millisecond']
  const count = ms / unitMs
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const counters = { rate_limits: 'all processes', one_time_codes: 'all processes', memory: 'each process' }

test('docs/security.md lists every throttle with its numbers', () => {
  const rows = Object.values(throttles).map(
    ({ name, subject, quota, windowMs, counter, protects, refusal }) =>
      `| \`${name}\` | ${subject} | ${quota.toLocaleString('en')} | ${inWords(windowMs)} | ${counters[counter]} | ${protects} | ${refusal} |`,
  )
  expect(tableBelow('Throttles')).toEqual(rows)
})

test('docs/security.md lists both lockout policies with their numbers', () => {
  const address = addressLockout({ config: { rateLimitFactor: 1 } } as Parameters<typeof addressLockout>[0])
  const rows = Object.entries({ device: accountLockout, 'unrecognised address': address }).map(
    ([subject, { freeFailures, lockedAt, maxWaitMs, resetAfterMs }]) =>
      `| ${subject} | ${freeFailures} | ${inWords(maxWaitMs)} from failure ${lockedAt} on | ${inWords(resetAfterMs)} |`,
  )
  expect(tableBelow('Waits after wrong passwords')).toEqual(rows)
})

test('each throttle has a name of its own', () => {
  const names = Object.values(throttles).map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
})
