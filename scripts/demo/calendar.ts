import type { Chance } from './chance.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
/** Africa/Harare, without daylight saving time. */
const offsetMs = 2 * hourMs

/** Sunday first. */
const ofWeekday = [0.45, 1.05, 0.95, 1, 1, 1.3, 0.8]
const ofHour = [1, 0, 0, 0, 1, 3, 8, 18, 34, 48, 56, 60, 58, 52, 46, 44, 48, 54, 50, 38, 26, 16, 8, 3]
/** The least number of payments of the present day, also for a demo that starts at night. */
const leastToday = 9

const startOfDay = (at: number) => Math.floor((at + offsetMs) / dayMs) * dayMs - offsetMs
const localDate = (at: number) => new Date(at + offsetMs)

/** Wages are paid in the last days of a month. */
function ofMonth(day: number): number {
  const date = localDate(day)
  const untilNextMonth =
    (Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) - (day + offsetMs)) / dayMs
  if (untilNextMonth <= 4) return 1.7
  return date.getUTCDate() <= 2 ? 1.4 : 1
}

/** The times of payments in the days until now, in order: by weekday, month and hour, with a slow growth. */
export function paymentTimes(chance: Chance, now: number, days: number, count: number): number[] {
  const today = startOfDay(now)
  const starts = Array.from({ length: days }, (_, index) => today - (days - 1 - index) * dayMs)
  const weights = starts.map((day, index) => {
    const growth = 0.8 + (0.4 * index) / days
    const noise = 0.85 + 0.3 * chance.next()
    return growth * noise * ofMonth(day) * (ofWeekday[localDate(day).getUTCDay()] ?? 1)
  })
  weights[days - 1] = (weights[days - 1] ?? 0) * shareOfDay(now - today)
  const counts = apportion(count, weights)
  counts[days - 1] = Math.max(counts[days - 1] ?? 0, leastToday)
  return starts
    .flatMap((day, index) =>
      Array.from({ length: counts[index] ?? 0 }, () => timeOfDay(chance, day, Math.min(day + dayMs, now))),
    )
    .toSorted((a, b) => a - b)
}

function timeOfDay(chance: Chance, day: number, before: number): number {
  for (let count = 0; count < 40; count++) {
    const hour = chance.pickBy([...ofHour.keys()], (candidate) => ofHour[candidate] ?? 0)
    const at = day + hour * hourMs + Math.floor(chance.next() * hourMs)
    if (at < before) return at
  }
  return day + Math.floor(chance.next() * (before - day))
}

function shareOfDay(elapsedMs: number): number {
  const hours = ofHour.map((weight, hour) => weight * Math.min(1, Math.max(0, elapsedMs / hourMs - hour)))
  return sum(hours) / sum(ofHour)
}

/** Whole parts of a total in proportion to weights, the largest remainders rounded up. */
function apportion(total: number, weights: readonly number[]): number[] {
  const exact = weights.map((weight) => (weight * total) / sum(weights))
  const parts = exact.map(Math.floor)
  const byRemainder = [...exact.keys()].toSorted(
    (a, b) => (exact[b] ?? 0) - (parts[b] ?? 0) - ((exact[a] ?? 0) - (parts[a] ?? 0)),
  )
  for (const index of byRemainder.slice(0, total - sum(parts))) parts[index] = (parts[index] ?? 0) + 1
  return parts
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
