import type { DashboardPayment, listPayments } from '@muripo/contract/dashboard-payments'
import type { PaymentId } from '@muripo/contract/ids'
import type { Reply } from '@muripo/contract/route'
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'
import { newestFirst, paymentsIn } from './answers.ts'

/** Payments, newest first, with the counts over the whole account. */
export type PaymentList = Reply<typeof listPayments>

export interface PageStart {
  readonly cursor: PaymentId | null
  /** The number of rows of the previous pages. */
  readonly loaded: number
}

export type PaymentPages = InfiniteData<PaymentList, PageStart>

export const FIRST_PAGE: PageStart = { cursor: null, loaded: 0 }
export const PAGE_SIZE = 100
/** A long list is refetched in few requests. */
const LARGEST_PAGE = 1000

/**
 * The list in a response. Only Muripo's server counts: without its counts the response is the whole list, in any order and not filtered, and
 * the browser sorts and filters it. Null for a body without a list.
 */
export function paymentListIn(
  body: unknown,
  matches: (payment: DashboardPayment) => boolean = () => true,
): PaymentList | null {
  const payments = paymentsIn(body)
  if (payments === null) return null
  const { total, matched, hasMoreMatches, hits, nextCursor } = body as Partial<PaymentList>
  if (typeof total === 'number' && typeof matched === 'number') {
    return {
      payments,
      total,
      matched,
      hasMoreMatches: hasMoreMatches === true,
      hits: hits ?? [],
      nextCursor: nextCursor || null,
    }
  }
  const shown = newestFirst(payments).filter(matches)
  return {
    payments: shown,
    total: payments.length,
    matched: shown.length,
    hasMoreMatches: false,
    hits: [],
    nextCursor: null,
  }
}

const sum = (pages: readonly PaymentList[]): number =>
  pages.reduce((rows, { payments }) => rows + payments.length, 0)

/** The number of rows to fetch: the next page, or as many as were loaded before. */
export const pageLimit = ({ loaded }: PageStart, known: PaymentPages | undefined): number =>
  Math.min(Math.max((known ? sum(known.pages) : 0) - loaded, PAGE_SIZE), LARGEST_PAGE)

/** Null at the end, and after a page that leads to itself. */
export const nextPageStart = (
  { nextCursor }: PaymentList,
  pages: readonly PaymentList[],
  { cursor }: PageStart,
): PageStart | null =>
  nextCursor === null || nextCursor === cursor ? null : { cursor: nextCursor, loaded: sum(pages) }

/** All loaded rows, with the counts of the page that was fetched last. */
export const flattenPages = ({ pages }: PaymentPages): PaymentList => ({
  ...(pages.at(-1) as PaymentList),
  payments: pages.flatMap(({ payments }) => payments),
  hits: pages.flatMap(({ hits }) => hits),
})

/**
 * New pages in place of the cached ones. Rows that did not change stay the same objects, a row that is known in a later state stays, and
 * small pages are joined, so that a refetch takes few requests.
 */
export function replacePages(cached: PaymentPages | undefined, next: PaymentPages): PaymentPages {
  const known = new Map(cached?.pages.flatMap(({ payments }) => payments.map((each) => [each._id, each])))
  const latest = (payment: DashboardPayment): DashboardPayment => {
    const before = known.get(payment._id)
    if (before === undefined) return payment
    return before.updatedAt > payment.updatedAt ? before : replaceEqualDeep(before, payment)
  }
  const pages: PaymentList[] = []
  const pageParams: PageStart[] = []
  for (const [index, page] of next.pages.entries()) {
    const payments = page.payments.map(latest)
    const last = pages.at(-1)
    if (last && last.payments.length + payments.length <= LARGEST_PAGE) {
      pages[pages.length - 1] = {
        ...page,
        payments: [...last.payments, ...payments],
        hits: [...last.hits, ...page.hits],
      }
    } else {
      pageParams.push({ cursor: next.pageParams[index]?.cursor ?? null, loaded: sum(pages) })
      pages.push({ ...page, payments })
    }
  }
  // Equal pages must be the same object: a new one would render the list again, without end where it is only a placeholder.
  return replaceEqualDeep(cached, { pages, pageParams })
}

export interface UpdateRules {
  /** Whether the list contains a payment in this state; a payment that is in the list still contains the text of its search. */
  readonly matches: (payment: DashboardPayment, isListed: boolean) => boolean
  /** Whether each new row is a new payment of the account: under a filter only the server can count the account's payments. */
  readonly countsTotal: boolean
}

/**
 * Puts payments that were created or changed into the loaded pages: a row in its place, a new one where it sorts. A row that no longer
 * matches leaves. An update older than the row changes nothing, and a payment that sorts behind the last page is not loaded yet.
 */
export function applyUpdates(
  { pages, pageParams }: PaymentPages,
  changed: readonly DashboardPayment[],
  { matches, countsTotal }: UpdateRules,
): PaymentPages {
  const updates = new Map(changed.map((payment) => [payment._id, payment]))
  let removed = 0
  const matching = pages.map(({ payments }) =>
    payments.flatMap((row) => {
      const update = updates.get(row._id)
      updates.delete(row._id)
      if (update === undefined || update.updatedAt <= row.updatedAt) return [row]
      if (matches(update, true)) return [update]
      removed += 1
      return []
    }),
  )
  let created = 0
  for (const payment of updates.values()) {
    const at = pages.findIndex(({ nextCursor }) => nextCursor === null || payment.paymentId > nextCursor)
    if (at < 0 || !matches(payment, false)) continue
    matching[at]?.push(payment)
    created += 1
  }
  return {
    pageParams,
    pages: pages.map((page, index) => ({
      ...page,
      payments: (matching[index] ?? []).sort((a, b) => (a.paymentId < b.paymentId ? 1 : -1)),
      total: page.total + (countsTotal ? created : 0),
      matched: page.matched + created - removed,
    })),
  }
}

export const withCounts = (
  { pages, pageParams }: PaymentPages,
  { payments: _, hits: __, nextCursor: ___, ...counts }: PaymentList,
): PaymentPages => ({ pageParams, pages: pages.map((page) => ({ ...page, ...counts })) })
