import type { ListHit } from '@muripo/contract/dashboard-payments'
import { type AccountId, PaymentId } from '@muripo/contract/ids'
import { sql } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { idFrom, uuidOf } from '../../../platform/ids.ts'
import { readTerms, type SearchTerms } from './search-terms.ts'

/** The texts of a payment that a search reads. */
interface TermTexts {
  readonly id: string
  readonly name: string | null
  readonly purpose: string
  readonly reference: string | null
  readonly numbers: readonly string[]
}

/** By which text a search found each of the payments of a page, and the part of it that equals the search. A hit in the id alone has none. */
export async function findHits(
  db: Queryable,
  accountId: AccountId,
  search: string | undefined,
  ids: readonly PaymentId[],
): Promise<ListHit[]> {
  const terms = readTerms(search ?? '')
  if (terms === null || ids.length === 0) return []
  const { rows } = await sql<TermTexts>`
    select id, customer_name as name, description as purpose, reference,
      array_remove(array[case when customer_phone is not null then search_phone end], null) || array(
        select distinct '+' || msisdn from payment_attempts a
        where a.account_id = p.account_id and a.payment_id = p.id and msisdn is not null) as numbers
    from payments p
    where account_id = ${uuidOf(accountId)}::uuid and id = any(${ids.map(uuidOf)}::uuid[])`.execute(db)
  return rows.flatMap((row) => {
    const part = partOf(row, terms)
    return part === null ? [] : [{ paymentId: idFrom(PaymentId, row.id), ...part }]
  })
}

type Part = Omit<ListHit, 'paymentId'>

function partOf({ name, purpose, reference, numbers }: TermTexts, terms: SearchTerms): Part | null {
  return (
    partOfNumber(numbers, terms) ??
    beginning('customer', name, terms) ??
    ofSurname(name, terms) ??
    beginning('reference', reference, terms) ??
    beginning('purpose', purpose, terms)
  )
}

function partOfNumber(numbers: readonly string[], terms: SearchTerms): Part | null {
  for (const prefix of terms.numbers) {
    const text = numbers.find((number) => number.startsWith(prefix))
    if (text !== undefined)
      return { by: 'phone', text, from: prefix.length - terms.typedDigits, to: prefix.length }
  }
  return null
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

const beginning = (by: Part['by'], text: string | null, terms: SearchTerms, from = 0): Part | null => {
  const to = from + terms.text.length
  return text !== null && isSame(text.slice(from, to), terms.text) ? { by, text, from, to } : null
}

const ofSurname = (name: string | null, terms: SearchTerms): Part | null =>
  name === null ? null : beginning('customer', name, terms, name.lastIndexOf(' ') + 1)
