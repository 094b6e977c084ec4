import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTimeZone } from '../../api/account.ts'
import { useApplicationChoices } from '../../api/applications.ts'
import { applyPaymentUpdates } from '../../api/payments.ts'
import { queryKeys } from '../../api/query-keys.ts'
import type { Filters } from '../../lib/payment-filters.ts'
import { refetchPagesSilently } from '../../lib/refetch-silently.ts'
import { throttled } from '../../lib/timing.ts'
import { usePaymentUpdates } from '../../live/live.tsx'

const REFETCH_EVERY_MS = 1500

/** Puts live updates into the loaded lists. Updates without named payments refetch the lists. */
export function usePaymentListUpdates(filters: Filters): void {
  const cache = useQueryClient()
  const timeZone = useTimeZone()
  // A filter by application means every application of that name.
  useApplicationChoices(filters.applicationId !== undefined)
  const [refetch] = useState(() =>
    throttled(() => void refetchPagesSilently(cache, { queryKey: queryKeys.payments }), REFETCH_EVERY_MS),
  )
  usePaymentUpdates(({ payments, more }) => {
    if (payments.length > 0) applyPaymentUpdates(cache, payments, timeZone)
    if (more) refetch()
  })
}
