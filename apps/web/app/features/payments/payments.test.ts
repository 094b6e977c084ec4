import english from 'virtual:texts/payments/en'
import type { payments } from '@muripo/locales/payments'
import { translatorOf } from '@muripo/locales/translator'
import { describe, expect, test } from 'vitest'
import { paymentTone } from '../../components/ui/status-badge.tsx'
import { methodLabel } from '../../lib/format.ts'
import {
  countFilters,
  isAccepted,
  isFiltered,
  methodChoices,
  readFilters,
  statusChoices,
  writeFilters,
} from '../../lib/payment-filters.ts'
import { summaryOf } from '../../lib/payments-text.ts'
import { rowAfter, withRow } from './grid-rows.ts'

const t = translatorOf<typeof payments>(english)

const payment = { currency: 'USD', amount: 25, purposeDescription: 'Basket', method: 'ecocash' } as const

describe('the summary of a payment', () => {
  test('[PAY-33] names currency, amount, purpose and method', () => {
    expect(summaryOf(payment, t)).toBe('USD25.00 - Basket via ecocash')
  })
  test('[PAY-33] of exactly 50 characters stays whole', () => {
    const purposeDescription = 'x'.repeat(50 - 'USD25.00 -  via ecocash'.length)
    const whole = summaryOf({ ...payment, purposeDescription }, t)
    expect(whole).toHaveLength(50)
    expect(whole.endsWith('via ecocash')).toBe(true)
  })
  test('[PAY-33] of more characters is cut after 50 and ends in three dots', () => {
    const cut = summaryOf({ ...payment, purposeDescription: 'y'.repeat(60) }, t)
    expect(cut).toHaveLength(53)
    expect(cut.endsWith('y...')).toBe(true)
  })
  test('is never cut inside a character', () => {
    expect(summaryOf({ ...payment, purposeDescription: '🧺'.repeat(60) }, t)).not.toMatch(
      /[\ud800-\udbff]\.\.\.$/,
    )
  })
  test('leaves the method out while none is chosen', () => {
    expect(summaryOf({ ...payment, method: null }, t)).toBe('USD25.00 - Basket')
  })
})

describe('the filters in the address', () => {
  test('are the same after writing and reading', () => {
    const filters = { search: 'pay_01', from: '2026-11-01', status: 'completed', minAmount: '10.50' }
    expect(readFilters(writeFilters(filters))).toEqual(filters)
  })
  test('leave out empty values', () => {
    expect(writeFilters({ search: '  ', status: '' }).toString()).toBe('')
  })
  test('[PAY-14] [PAY-17] accept status and method in any case', () => {
    expect(readFilters(new URLSearchParams('status=COMPLETED&method=EcoCash'))).toEqual({
      status: 'COMPLETED',
      method: 'EcoCash',
    })
  })
  test.each([
    'status=lost',
    'method=cash',
    'from=tomorrow',
    'to=2026-13-45',
    'minAmount=-1',
    'maxAmount=1e5',
    'x=y',
  ])('leave out values that the server would refuse: %s', (search) =>
    expect(readFilters(new URLSearchParams(search))).toEqual({}),
  )
  test('keep other parameters of the address', () => {
    const address = new URLSearchParams('payment=pay_01&status=failed&to=2026-11-01')
    expect(writeFilters({ status: 'pending' }, address).toString()).toBe('payment=pay_01&status=pending')
    expect(writeFilters({}, address).toString()).toBe('payment=pay_01')
  })
  test.each([
    ['25', true],
    ['25.5', true],
    ['0.05', true],
    ['25.', true],
    ['.5', true],
    ['.', false],
    ['25.505', true],
    ['-3', false],
    ['ten', false],
  ])('read an amount in any notation: %s', (text, taken) => {
    expect(isAccepted('minAmount', text)).toBe(taken)
  })
  test('count the filters behind the toggle, and not the search', () => {
    expect(countFilters({ search: 'a', status: 'failed', to: '2026-11-01' })).toBe(2)
    expect(isFiltered({ search: 'a' })).toBe(true)
    expect(isFiltered({})).toBe(false)
  })
})

describe('the choices', () => {
  test('[PAY-13] of status', () => {
    const choices = statusChoices(t('everyStatus'), (status) => status)
    expect(choices.map(({ label }) => label)).toEqual([
      'All Statuses',
      'completed',
      'pending',
      'failed',
      'refunded',
    ])
  })
  test('of status contain another status of the address while it is chosen', () => {
    const labels = (chosen: string) =>
      statusChoices(t('everyStatus'), (status) => status, chosen).map(({ label }) => label)
    expect(labels('authorized')).toEqual([
      'All Statuses',
      'completed',
      'pending',
      'failed',
      'refunded',
      'authorized',
    ])
    expect(labels('failed')).toEqual(labels(''))
    expect(labels('lost')).toEqual(labels(''))
  })
  test('[PAY-15] [PAY-16] of method', () => {
    const choices = methodChoices(t('everyMethod'), methodLabel)
    expect(choices.map(({ label }) => label)).toEqual([
      'All Methods',
      'EcoCash',
      'InnBucks',
      'OneMoney',
      'Visa/Mastercard',
    ])
  })
})

test('[PAY-35] [PAY-36] [PAY-37] [PAY-38] [PAY-39] [PAY-40] a status has its colour in any case', () => {
  expect(['COMPLETED', 'pending', 'Failed', 'REFUNDED', 'odd'].map(paymentTone)).toEqual([
    'green',
    'yellow',
    'red',
    'purple',
    'grey',
  ])
})

describe('the keys in the list', () => {
  test.each([
    ['ArrowDown', 5, 6],
    ['ArrowUp', 5, 4],
    ['PageDown', 5, 14],
    ['PageUp', 15, 6],
    ['Home', 50, 0],
    ['End', 5, 99],
    ['ArrowUp', 0, 0],
    ['ArrowDown', 99, 99],
    ['PageDown', 95, 99],
    ['PageUp', 3, 0],
  ])('%s leads from row %i to row %i', (key, from, to) => {
    expect(rowAfter(key, from, 9, 99)).toBe(to)
  })
  test.each(['Enter', 'Tab', 'a', ' '])('%j is left to the browser', (key) => {
    expect(rowAfter(key, 5, 9, 99)).toBeNull()
  })
  test('the row with the focus stays in the document, wherever the list is scrolled to', () => {
    expect(withRow([50, 51, 52], 3)).toEqual([3, 50, 51, 52])
    expect(withRow([50, 51, 52], 90)).toEqual([50, 51, 52, 90])
    expect(withRow([50, 51, 52], 51)).toEqual([50, 51, 52])
  })
})
