import { expect, test } from 'vitest'
import { dayPresetsAt } from './day-presets.ts'

test.each([
  [
    '2026-11-26',
    [
      ['presetToday', '2026-11-26', '2026-11-26'],
      ['presetYesterday', '2026-11-25', '2026-11-25'],
      ['11', '2026-11-01', '2026-11-30'],
      ['10', '2026-10-01', '2026-10-31'],
      ['9', '2026-09-01', '2026-09-30'],
    ],
  ],
  [
    '2028-03-01',
    [
      ['presetToday', '2028-03-01', '2028-03-01'],
      ['presetYesterday', '2028-02-29', '2028-02-29'],
      ['3', '2028-03-01', '2028-03-31'],
      ['2', '2028-02-01', '2028-02-29'],
      ['1', '2028-01-01', '2028-01-31'],
    ],
  ],
  [
    '2027-01-31',
    [
      ['presetToday', '2027-01-31', '2027-01-31'],
      ['presetYesterday', '2027-01-30', '2027-01-30'],
      ['1', '2027-01-01', '2027-01-31'],
      ['12 2026', '2026-12-01', '2026-12-31'],
      ['11 2026', '2026-11-01', '2026-11-30'],
    ],
  ],
] as const)('on %s the presets have the days of their names', (today, presets) => {
  const named = dayPresetsAt(today).map(({ name, from, to }) => [
    typeof name === 'string' ? name : `${name.month} ${name.year}`.trim(),
    from,
    to,
  ])
  expect(named).toEqual([['anyDate', '', ''], ...presets])
})
