import type { listApplications } from '@muripo/contract/applications'
import type { ApplicationId, PaymentId } from '@muripo/contract/ids'
import type { DashboardPayment, listPayments, refundPayment } from '@muripo/contract/payments'
import type { Reply } from '@muripo/contract/route'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { dataOf } from '../../lib/call-error.ts'
import { logProblem } from '../../lib/log.ts'
import { send } from '../../lib/session/session.ts'
import type { Filters } from './filters.ts'

export const paymentsKey = ['payments'] as const
const PAGE_SIZE = 100
type Page = Reply<typeof listPayments>

/** A plain list counts itself. */
const pageIn = (body: Page | DashboardPayment[]): Page =>
  Array.isArray(body) ? { payments: body, total: body.length, matched: body.length, nextCursor: null } : body

export const usePayments = ({ applicationId, ...filters }: Filters) =>
  useInfiniteQuery({
    queryKey: [...paymentsKey, filters, applicationId],
    queryFn: async ({ pageParam }) =>
      pageIn(
        dataOf(
          await send<typeof listPayments>('GET', '/payments/all', {
            query: {
              ...filters,
              limit: PAGE_SIZE,
              ...(applicationId ? { applicationId: applicationId as ApplicationId } : {}),
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          }),
          'Failed to load payments',
        ),
      ),
    initialPageParam: null as PaymentId | null,
    getNextPageParam: (page) => page.nextCursor,
    // While a filter changes, the rows before it stay: nothing flickers at each key press.
    placeholderData: (before) => before,
  })

/** For the filter only: without the list the filter simply offers nothing. */
export const useApplicationChoices = () =>
  useQuery({
    queryKey: ['payments-applications'],
    meta: { quiet: true },
    queryFn: async () => {
      const result = await send<typeof listApplications>('GET', '/applications/all')
      if (result.data === null) logProblem('The applications for the filter could not be read', result.error)
      const list: unknown = Array.isArray(result.data) ? result.data : result.data?.applications
      const applications = Array.isArray(list) ? (list as { _id: string; applicationName: string }[]) : []
      return applications.map(({ _id, applicationName }) => ({ value: _id, label: applicationName }))
    },
  })

/** True when the money is on its way back; an answer that is still open (202) counts as "try again later". */
export async function refund({ paymentId, amount, currency }: DashboardPayment): Promise<boolean> {
  const result = await send<typeof refundPayment>('POST', '/payments/refund', {
    body: { paymentId, amount, currency },
  })
  return (result.status === 200 || result.status === 201) && result.data !== null
}
