import { expect } from 'vitest'
import { test } from '../../../test/fixtures.ts'

const DAY = 86_400_000
const utc = (year: number, month: number, day: number): number => Date.UTC(year, month - 1, day)
const textOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
const weekday = (ms: number): number => new Date(ms).getUTCDay()

/** The Sunday of Easter, by the method of Meeus, Jones and Butcher. */
function easter(year: number): number {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114
  return utc(year, Math.floor(f / 31), (f % 31) + 1)
}

/** The public holidays of a year as the law names them; the Monday after one on a Sunday is a holiday too. */
function holidaysOf(year: number): string[] {
  const august = utc(year, 8, 1)
  const heroes = august + ((8 - weekday(august)) % 7) * DAY + 7 * DAY
  const fixed = [
    [1, 1],
    [2, 21],
    [4, 18],
    [5, 1],
    [5, 25],
    [12, 22],
    [12, 25],
    [12, 26],
  ].map(([month = 1, day = 1]) => utc(year, month, day))
  const inLieu = fixed.filter((each) => weekday(each) === 0).map((each) => each + DAY)
  const aroundEaster = [-2, -1, 0, 1].map((days) => easter(year) + days * DAY)
  const all = [...fixed, ...inLieu, ...aroundEaster, heroes, heroes + DAY]
  return [...new Set(all.map(textOf))].toSorted()
}

test.for([2026, 2027, 2028])('the holidays of %i are those of the law', async (year, { ctx }) => {
  const { rows } = await ctx.db.pool.query(
    'select day::text from business_holidays where extract(year from day) = $1 order by 1',
    [year],
  )
  expect(rows.map(({ day }) => day)).toEqual(holidaysOf(year))
})

test.for([
  ['the Tuesday after a Sunday, 21 February, and the Monday in lieu', '2027-02-20', 1, '2027-02-23'],
  ['the Tuesday after Independence Day on a Sunday', '2027-04-17', 1, '2027-04-20'],
  ['the Tuesday after Christmas on a Saturday and Boxing Day on a Sunday', '2027-12-24', 1, '2027-12-28'],
  ['the Tuesday after Easter', '2027-03-25', 1, '2027-03-30'],
  ['the Wednesday after Easter Monday and Independence Day', '2028-04-13', 1, '2028-04-19'],
  ['the Wednesday after Heroes’ and Defence Forces Day', '2026-08-08', 1, '2026-08-12'],
  ['a Saturday, on which banks pay', '2026-11-20', 1, '2026-11-21'],
  ['the Monday after a Sunday', '2026-11-21', 1, '2026-11-23'],
  ['three days over a year’s end', '2026-12-31', 3, '2027-01-05'],
  ['the day itself', '2026-11-20', 0, '2026-11-20'],
  ['the next one for a holiday, without a delay', '2027-02-21', 0, '2027-02-23'],
  ['unknown in a year without holidays', '2028-12-30', 1, null],
] as const)('the next day on which banks pay is %s', async ([_what, from, days, expected], { ctx }) => {
  const { rows } = await ctx.db.pool.query('select business_day_after($1, $2)::text as day', [from, days])
  expect(rows[0].day).toBe(expected)
})
