/** Places where the focus may rest. */
const PLACES = '[tabindex]'
/** A dialog returns the focus ten milliseconds after it has closed, and an effect after the next render. */
const RETURN_MS = 50
/** The control in a dialog, the one that opened it, and so on. */
const PATHS_MAX = 8

/** A closed dialog is in the page until it has faded out, and takes no focus. */
const isInert = (element: Element): boolean => element.closest('[inert]') !== null

/**
 * A pressed control may remove itself: the last filter is cleared, a payment is refunded, a row leaves its list. The browser then moves the focus
 * to the body, before the whole page. This moves it to the nearest place that is left around the control, or around the control that had opened
 * its dialog. Returns a function that stops.
 */
export function keepFocus(): () => void {
  /** The focused elements with their ancestors, the latest first. */
  let paths: (readonly Element[])[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const isLost = () => document.activeElement === null || document.activeElement === document.body

  const onFocus = ({ target }: FocusEvent) => {
    const path: Element[] = []
    for (let each = target as Element | null; each && each !== document.body; each = each.parentElement)
      path.push(each)
    paths = [path, ...paths.filter(([control]) => control !== path[0])].slice(0, PATHS_MAX)
  }
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    // While the focus moves to another control, it is nowhere for a moment.
    if (relatedTarget !== null) return
    // The user has left the control for no other, by a click beside it.
    queueMicrotask(() => {
      if (isLost() && (target as Element).isConnected && !isInert(target as Element)) paths = []
    })
  }
  const rest = () => {
    if (!isLost()) return
    const places = [...paths.flat(), document.getElementById('content')]
    const place = places.find((each) => each?.isConnected && each.matches(PLACES) && !isInert(each)) as
      | HTMLElement
      | undefined
    place?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    const control = paths[0]?.[0]
    if (control === undefined || control.isConnected || !isLost()) return
    clearTimeout(timer)
    timer = setTimeout(rest, RETURN_MS)
  })
  observer.observe(document.body, { childList: true, subtree: true })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  return () => {
    observer.disconnect()
    clearTimeout(timer)
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
  }
}
