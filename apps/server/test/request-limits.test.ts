import { expect, test } from 'vitest'
import { z } from 'zod'
import { declaredRoutes } from './declared-routes.ts'
import { type StringPlace, stringPlaces } from './request-strings.ts'

const MOST_MS = 50

const routes = await declaredRoutes()
const places = routes.flatMap(stringPlaces)

/** Marks above before marks below: their normalisation takes quadratic time. */
const unordered = (length: number) =>
  `a${'\u0301'.repeat(length / 2)}${'\u0323'.repeat(length / 2)}`.slice(0, length)

const hostile: Readonly<Record<string, (length: number) => string>> = {
  dots: (length) => '.'.repeat(length),
  'an address of dots': (length) => `a@${'.'.repeat(Math.max(0, length - 3))}@`,
  'at signs': (length) => 'a@'.repeat(length / 2),
  'combining marks in the wrong order': unordered,
  'letters that grow eighteenfold in NFKC': (length) => '\ufdfa'.repeat(length),
  'spaces before a letter': (length) => `${' '.repeat(Math.max(0, length - 1))}x`,
  'a letter before spaces': (length) => `x${' '.repeat(Math.max(0, length - 1))}x`,
  quotes: (length) => '"'.repeat(length),
  digits: (length) => '1'.repeat(length),
  'an address with many labels': (length) => `https://${'a.'.repeat(Math.max(0, length / 2 - 4))}`,
  'letters without an end': (length) =>
    'pay_0123456789abcdefghjkmnpqrs'.repeat(length / 30 + 1).slice(0, length),
  'halves of characters': (length) => '\ud800'.repeat(length),
}

/** The CPU time of this process, without that of others; the best of three, without garbage collection. */
function cpuMs(run: () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test('every string of every request has a length limit that ends its check before any pattern or normalisation', () => {
  expect(places.length).toBeGreaterThan(100)
  expect(places.filter(({ limit }) => limit === null).map(({ name }) => name)).toEqual([])
})

test('a string without such a limit is found', () => {
  const limitOf = (body: z.ZodType) =>
    stringPlaces({
      method: 'POST',
      path: '/x',
      access: 'anyone',
      summary: '',
      body,
      reply: {},
      errors: [],
    }).map(({ limit }) => limit)
  expect(limitOf(z.string())).toEqual([null])
  expect(limitOf(z.string().max(3))).toEqual([null])
  expect(limitOf(z.string().regex(/a/).max(3, { abort: true }))).toEqual([null])
  expect(limitOf(z.url().max(3, { abort: true }))).toEqual([null])
  expect(limitOf(z.object({ a: z.array(z.iso.date()).optional() }))).toEqual([null])
  expect(limitOf(z.record(z.string(), z.string().max(3, { abort: true })))).toEqual([null, 3])
  expect(limitOf(z.string().max(3, { abort: true }).regex(/a/))).toEqual([3])
})

test.each(Object.entries(hostile))(
  `no place takes more than ${MOST_MS} ms for 65,000 characters of %s, or for as many as it allows`,
  (_what, textOf) => {
    const slow: [string, number, number][] = []
    const time = (place: StringPlace, length: number) => {
      const text = textOf(length)
      const ms = cpuMs(() => void place.check(text))
      if (ms > MOST_MS) slow.push([place.name, length, ms])
    }
    for (const place of places) {
      time(place, 65_000)
      if (place.limit !== null && place.limit > 0) time(place, place.limit)
    }
    expect(slow).toEqual([])
  },
)

test('65,000 characters are refused wherever a string is accepted', () => {
  const taken = places.filter(({ check }) => check('x'.repeat(65_000)).success)
  expect(taken.map(({ name }) => name)).toEqual([])
})
