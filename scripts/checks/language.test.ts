import { expect, test } from 'vitest'
import { sources, typescript } from '../lib/sources.ts'
import { identifiersIn, identifiersInSql, wordsOf } from './identifiers.ts'

/**
 * Words that mean another thing in payments, or two things here, with the term to use. A term of several words is one
 * part of a name: `give_back` matches `giveBack` and `give_back_at`.
 */
const terms: Readonly<Record<string, string>> = {
  tries: 'attempts, delivery attempts',
  give_back: 'refund, restore, release',
  settle_refund: 'resolve (a settlement is a payout)',
  settle_attempt: 'resolve (a settlement is a payout)',
  judge: 'interpret, classify, review',
  books: 'environments, ledger',
  fold: 'aggregate',
  closing: 'cancellation, expiry, termination reason',
  receivers: 'endpoints',
  party: 'rate-limit subject',
  deed: 'audit entry',
  desk: 'operator',
}

/** Names with a term of the list that mean something else. The closing balance of a statement is a term of accounting and of ISO 20022. */
const otherMeaning =
  /^apps\/server\/src\/platform\/outbound\/targets\.ts tries$|^\S*(reconciliation|statements)\S* \w*closing|\bclosing_(minor|from)$|\bstatements_closing_/i

const places = [
  ...sources(...typescript).map(identifiersIn),
  ...sources('apps/server/schema.sql').map(identifiersInSql),
]
  .filter(({ file }) => file !== 'scripts/checks/language.test.ts')
  .flatMap(({ file, identifiers }) => [...identifiers].map((name) => ({ name, place: `${file} ${name}` })))

const termsIn = (name: string): string[] => {
  const words = `_${wordsOf(name).join('_')}_`
  return Object.keys(terms).filter((term) => words.includes(`_${term}_`))
}

test('the names of files, code and SQL objects use the terms of the field', () => {
  const wrong = places
    .filter(({ place }) => !otherMeaning.test(place))
    .flatMap(({ name, place }) => termsIn(name).map((term) => `${place}: not ${term}, but ${terms[term]}`))
  expect(places.length).toBeGreaterThan(10_000)
  expect(wrong).toEqual([])
})

test.each([
  ['giveBackAll', ['give_back']],
  ['openHTTPBooks', ['books']],
  ['askProvider', []],
])('%s contains %j', (name, found) => {
  expect(termsIn(name)).toEqual(found)
})
