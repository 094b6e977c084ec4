import type { PaymentId } from '@muripo/contract/ids'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { CallError } from '../../api/errors.ts'
import { dashboardToast } from '../../components/toast.ts'
import type { Filters } from './filters.ts'
import { appended, type PaymentList } from './payment-list.ts'
import { ask, askAgain, listKey, PAGE_SIZE } from './payments-api.ts'

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
    queryKey: listKey(filters),
    queryFn: () => askAgain(cache, filters),
    // While a filter changes, the rows before it stay: nothing flickers at each key press.
    placeholderData: keepPreviousData,
  })
  const [shown, setShown] = useState(address)
  if (list.data && !list.isPlaceholderData && shown !== address) setShown(address)

  const next = useMutation({
    mutationFn: (page: NextPage) => ask({ ...page, limit: PAGE_SIZE }),
    onSuccess: (page, { filters: asked, cursor }) => {
      cache.setQueryData<PaymentList>(listKey(asked), (before) => before && appended(before, cursor, page))
    },
    onError: (error) => {
      if (!(error instanceof CallError && error.sessionEnded)) dashboardToast.error(error.message)
    },
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
