import { money } from '@muripo/contract/money'
import { expect, test } from 'vitest'
import { sumsOf } from './read-today.ts'

test('the volumes of several databases add up to the cent', () => {
  const volume = { total: money(10n, 'USD'), payments: 1 }
  expect(sumsOf([volume, { total: money(5n, 'ZWG'), payments: 2 }, volume, volume])).toEqual([
    { currency: 'USD', payments: 3, amount: 0.3 },
    { currency: 'ZWG', payments: 2, amount: 0.05 },
  ])
})
