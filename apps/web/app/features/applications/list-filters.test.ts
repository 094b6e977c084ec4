import { describe, expect, test } from 'vitest'
import { newestFirst } from '../../api/answers.ts'
import {
  categoryOf,
  filterApplications,
  hasFilters,
  matchingCategories,
  noFilters,
  readListFilters,
  writeListFilters,
} from './list-filters.ts'

const app = (applicationName: string, category: string, createdAt: string, status = 'active') => ({
  applicationName,
  category,
  createdAt,
  status,
})
const shop = app('Corner Shop', 'Retail', '2026-01-01T00:00:00.000Z')
const school = app('School fees', 'Education', '2026-03-01T00:00:00.000Z', 'inactive')
const clinic = app('Clinic', 'Healthcare', '2026-02-01T00:00:00.000Z')
/** In English, the name of a category is its stored word. */
const english = (category: string) => category
const ndebele = (category: string) => (category === 'Healthcare' ? 'Ezempilakahle' : category)
const names = (list: readonly { applicationName: string }[]) =>
  list.map(({ applicationName }) => applicationName)

describe('the applications list', () => {
  test('[CALLS-31] is newest first', () => {
    expect(names(newestFirst([shop, school, clinic]))).toEqual(['School fees', 'Clinic', 'Corner Shop'])
  })
  test('[CALLS-31] keeps the order of dates that cannot be read', () => {
    const odd = [app('A', 'x', '?'), app('B', 'x', ''), app('C', 'x', 'soon')]
    expect(names(newestFirst(odd))).toEqual(['A', 'B', 'C'])
  })
  test('[APPS-05] matches name or category in any case', () => {
    expect(
      names(filterApplications([shop, school, clinic], { ...noFilters, search: 'HEALTH' }, english)),
    ).toEqual(['Clinic'])
    expect(
      names(filterApplications([shop, school, clinic], { ...noFilters, search: 'corner' }, english)),
    ).toEqual(['Corner Shop'])
  })
  test('matches the name of a category in the page’s language, and its English name', () => {
    for (const search of ['ezempi', 'health'])
      expect(names(filterApplications([shop, clinic], { ...noFilters, search }, ndebele))).toEqual(['Clinic'])
  })
  test('[APPS-06] sorts oldest first', () => {
    expect(
      names(filterApplications([shop, school, clinic], { ...noFilters, sort: 'oldest' }, english))[0],
    ).toBe('Corner Shop')
  })
  test('[APPS-08] filters by status', () => {
    expect(
      names(filterApplications([shop, school, clinic], { ...noFilters, status: 'inactive' }, english)),
    ).toEqual(['School fees'])
  })
  test('[APPS-07] [APPS-09] starts with newest and all', () => {
    expect(noFilters).toEqual({ search: '', sort: 'newest', status: 'all' })
    expect(hasFilters(noFilters)).toBe(false)
  })
})

describe('a category', () => {
  test('[CREATE-09] that is not in the list is stored as Other', () => {
    expect(categoryOf('Bakery', english)).toBe('Other')
    expect(categoryOf('retail', english)).toBe('Other')
    expect(categoryOf('', english)).toBe('Other')
  })
  test('[CREATE-10] that matches exactly is used', () => expect(categoryOf('Retail', english)).toBe('Retail'))
  test('is stored by its English name, whichever name was entered', () => {
    expect(categoryOf('Ezempilakahle', ndebele)).toBe('Healthcare')
    expect(categoryOf('Healthcare', ndebele)).toBe('Healthcare')
    expect(matchingCategories('mpila', ndebele)).toEqual(['Healthcare'])
  })
  test('is found by a part of its name', () => {
    expect(matchingCategories('pay', english)).toEqual(['Payment Gateway'])
    expect(matchingCategories('zzz', english)).toEqual([])
    expect(matchingCategories('', english)).toHaveLength(42)
  })
})

test('an address without filters, or with unknown ones, filters nothing', () => {
  expect(readListFilters(new URLSearchParams())).toEqual(noFilters)
  expect(readListFilters(new URLSearchParams('sort=size&status=gone&page=2'))).toEqual(noFilters)
})

test('the address has only the filters that are set', () => {
  const filters = { search: 'Chiedza & Co', sort: 'oldest', status: 'all' } as const
  const address = writeListFilters(filters)
  expect(address.toString()).toBe('search=Chiedza+%26+Co&sort=oldest')
  expect(readListFilters(address)).toEqual(filters)
})
