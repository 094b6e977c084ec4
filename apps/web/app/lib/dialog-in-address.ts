import { useCallback, useEffect, useRef } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** The dialogs of a page by the parameter of its address that opens them: a reload opens the dialog again, and the back button closes it. */
type Name = 'payment' | 'new'

/** The state of a history entry: the previous entry is the same page without the dialog. */
const openedHere = { openedFromList: true } as const

/** Opens a dialog beside the page's other parameters. */
export function useOpenDialog(name: Name): (value: string) => void {
  const navigate = useNavigate()
  return useCallback(
    (value) => {
      const search = new URLSearchParams(window.location.search)
      search.set(name, value)
      void navigate({ search: search.toString() }, { state: openedHere, preventScrollReset: true })
    },
    [navigate, name],
  )
}

export function useDialogInAddress(name: Name) {
  const [search] = useSearchParams()
  const { state, key } = useLocation()
  const navigate = useNavigate()
  // Without this, two presses before the change of the address would navigate back twice.
  const leaving = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place in the history, another chance to leave it
  useEffect(() => {
    leaving.current = false
  }, [key])

  const goTo = (change: (search: URLSearchParams) => void, to: { readonly state?: unknown } = {}) => {
    const next = new URLSearchParams(search)
    next.delete(name)
    change(next)
    void navigate({ search: next.toString() }, { replace: true, preventScrollReset: true, ...to })
  }
  return {
    /** The value of the parameter while the dialog is open. */
    value: search.get(name) || null,
    close() {
      if (leaving.current) return
      leaving.current = true
      if ((state as typeof openedHere | null)?.openedFromList) void navigate(-1)
      else goTo(() => undefined)
    },
    /** Opens another dialog in place of this one. */
    replaceBy: (other: Name, value: string) => goTo((next) => next.set(other, value), { state }),
  }
}
