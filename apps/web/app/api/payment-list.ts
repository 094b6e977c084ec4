import type { DashboardPayment, listPayments } from '@muripo/contract/dashboard-payments'
import type { Reply } from '@muripo/contract/route'

/** The payments that are loaded, newest first, with the counts over the whole account. */
export type PaymentList = Reply<typeof listPayments>

/** A plain list counts itself. */
export const listIn = (body: PaymentList | DashboardPayment[]): PaymentList =>
  Array.isArray(body)
    ? {
        payments: body,
        total: body.length,
        matched: body.length,
        hasMoreMatches: false,
        nextCursor: null,
      }
    : body

/** Nothing, when the list has meanwhile been asked for again and ends elsewhere. */
export const appendPage = (list: PaymentList, cursor: string, next: PaymentList): PaymentList =>
  list.nextCursor === cursor ? { ...next, payments: [...list.payments, ...next.payments] } : list

/**
 * The list with what is known to have changed: rows in their place, and new payments in theirs where the list takes any. What the
 * list knows in a later state stays, for news may come late.
 */
export function mergeUpdates(
  list: PaymentList,
  changed: readonly DashboardPayment[],
  takesNew: boolean,
): PaymentList {
  const news = new Map(changed.map((payment) => [payment._id, payment]))
  const payments = list.payments.map((known) => {
    const now = news.get(known._id)
    news.delete(known._id)
    return now && now.updatedAt > known.updatedAt ? now : known
  })
  const last = list.payments.at(-1)
  // What sorts behind the last row is not new: it belongs to a page that is not loaded.
  const created = [...news.values()].filter(
    ({ paymentId }) => takesNew && (list.nextCursor === null || (last && paymentId > last.paymentId)),
  )
  if (created.length === 0) return { ...list, payments }
  return {
    ...list,
    payments: [...created, ...payments].sort((a, b) => (a.paymentId < b.paymentId ? 1 : -1)),
    total: list.total + created.length,
    matched: list.matched + created.length,
  }
}
