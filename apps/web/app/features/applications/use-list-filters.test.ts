import { expect, test } from 'vitest'
import { noFilters } from './application-list.ts'
import { readListFilters, writeListFilters } from './use-list-filters.ts'

test('an address without filters, or with unknown ones, has none', () => {
  expect(readListFilters(new URLSearchParams())).toEqual(noFilters)
  expect(readListFilters(new URLSearchParams('sort=size&status=gone&page=2'))).toEqual(noFilters)
})

test('the address has the filters that are set, and no other', () => {
  const filters = { search: 'Chiedza & Co', sort: 'oldest', status: 'all' } as const
  const address = writeListFilters(filters)
  expect(address.toString()).toBe('search=Chiedza+%26+Co&sort=oldest')
  expect(readListFilters(address)).toEqual(filters)
})
