import type { PaymentId } from '@muripo/contract/ids'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { appendPage, type PaymentList } from '../../api/payment-list.ts'
import { fetchLoadedPayments, fetchPaymentsPage, PAGE_SIZE } from '../../api/payments.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { toastError } from '../../components/toast.ts'
import type { Filters } from '../../lib/payment-filters.ts'

interface NextPage {
  readonly filters: Filters
  readonly cursor: PaymentId
}

/** What the rows at the end of the list do: they come by themselves until one time they could not be had. */
export interface MorePayments {
  readonly loading: boolean
  readonly error: string | null
  readonly load: () => void
  readonly retry: () => void
}

/** The payments that the filters keep. `shown` is the address whose payments are on the screen: the last one until the next ones came. */
export function usePayments(filters: Filters, address: string) {
  const cache = useQueryClient()
  const list = useQuery({
    queryKey: queryKeys.paymentList(filters),
    queryFn: () => fetchLoadedPayments(cache, filters),
    // While a filter changes, the rows before it stay: nothing flickers at each key press.
    placeholderData: keepPreviousData,
  })
  const [shown, setShown] = useState(address)
  if (list.data && !list.isPlaceholderData && shown !== address) setShown(address)

  const next = useMutation({
    mutationFn: (page: NextPage) => fetchPaymentsPage({ ...page, limit: PAGE_SIZE }),
    onSuccess: (page, { filters: asked, cursor }) => {
      cache.setQueryData<PaymentList>(
        queryKeys.paymentList(asked),
        (before) => before && appendPage(before, cursor, page),
      )
    },
    onError: toastError,
  })
  const cursor = list.data?.nextCursor ?? null
  const error = next.variables?.cursor === cursor ? (next.error?.message ?? null) : null
  const load = () => {
    const busy = list.isFetching || next.isPending
    if (cursor !== null && error === null && !busy) next.mutate({ filters, cursor })
  }
  // Without the error it is asked for again where the list ends, as soon as nothing else is under way.
  const more: MorePayments = { loading: next.isPending, error, load, retry: next.reset }
  return { list, shown, more }
}
