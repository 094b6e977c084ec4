import { changeAccount } from '@muripo/contract/account'
import { expect, test } from 'vitest'
import { choiceOf, choicesWith, matchingPlaces } from './time-zone.tsx'

const winter = new Date('2026-01-15T12:00:00.000Z')
const summer = new Date('2026-07-15T12:00:00.000Z')

test.each([
  ['Africa/Harare', winter, 'Africa/Harare (GMT+2)'],
  ['America/New_York', winter, 'America/New York (GMT-5)'],
  ['America/New_York', summer, 'America/New York (GMT-4)'],
  ['Asia/Kathmandu', summer, 'Asia/Kathmandu (GMT+5:45)'],
  ['UTC', summer, 'UTC (GMT+0)'],
])('%s at %s reads %s', (timeZone, at, label) => {
  expect(choiceOf(timeZone, at)).toEqual({ value: timeZone, label })
})

test('all time zones of a browser are listed once, in order, with UTC and the chosen one', () => {
  const zones = choicesWith('Asia/Calcutta', winter).map(({ value }) => value)
  expect(zones.length).toBeGreaterThan(400)
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).toEqual(zones.toSorted())
  for (const zone of ['Africa/Harare', 'UTC', 'Asia/Kolkata', 'Asia/Calcutta']) expect(zones).toContain(zone)
})

test('the server accepts each of them', () => {
  const refused = choicesWith('Africa/Harare').filter(
    ({ value }) => !changeAccount.body.safeParse({ timeZone: value }).success,
  )
  expect(refused).toEqual([])
})

const inWinter = choicesWith('Africa/Harare', winter)

test.each([
  ['Asia/Tokyo (GMT+9)', 'Asia/Tokyo'],
  ['  tokyo', 'Asia/Tokyo'],
  ['tok', 'Asia/Tokyo'],
  ['york', 'America/New_York'],
  ['new york', 'America/New_York'],
  ['har', 'Africa/Harare'],
  ['london', 'Europe/London'],
  ['gmt+5:45', 'Asia/Kathmandu'],
  ['utc', 'UTC'],
  ['atlantis', undefined],
  [' ', 'Africa/Abidjan'],
])('the text %j finds %s first', (text, zone) => {
  expect(matchingPlaces(text, inWinter)[0]?.value).toBe(zone)
})
