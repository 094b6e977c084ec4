import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'

const NAME = 'payment'
/** A marker in the state of a history entry: the previous entry is the list from which the payment was opened. */
const fromList = { openedFromList: true } as const

/** Opens a payment by adding it to the address, beside the filters: a reload shows it again, and the back button closes it. */
export function useOpenPayment(): (payment: { readonly paymentId: string }) => void {
  const navigate = useNavigate()
  return useCallback(
    ({ paymentId }) => {
      const search = new URLSearchParams(window.location.search)
      search.set(NAME, paymentId)
      void navigate({ search: search.toString() }, { state: fromList, preventScrollReset: true })
    },
    [navigate],
  )
}

/** The payment in the address, and a function that closes it. */
export function useNamedPayment(): { paymentId: string | null; close: () => void } {
  const [search] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  // Without this, two presses before the change of the address would navigate back twice.
  const leaving = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place in the history, another chance to leave it
  useEffect(() => {
    leaving.current = false
  }, [location.key])

  function close() {
    if (leaving.current) return
    leaving.current = true
    if ((location.state as typeof fromList | null)?.openedFromList) return void navigate(-1)
    const rest = new URLSearchParams(search)
    rest.delete(NAME)
    void navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true })
  }
  return { paymentId: search.get(NAME) || null, close }
}

/** A link to share: without the filters, which are the sender's own. */
export const paymentLink = (paymentId: string): string => window.location.origin + paths.payment(paymentId)
