import './toast.css'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { IconX } from '../components/icons.ts'
import { TOAST_LIMIT, type Toast, toastStore } from '../components/toast.ts'
import { useCommonText } from '../lib/page-text.ts'

const LEAVING_MS = 200
const none: readonly Toast[] = []

/** Shows the toasts. It is outside of the pages, so that a toast stays visible after a navigation, unless it is an error of its page. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get, () => none)
  // No toast disappears while the pointer moves over one. A pointer that rests where a toast appears was not moved there to keep it.
  const [isPaused, setIsPaused] = useState(false)
  useEffect(() => {
    if (toasts.length === 0) setIsPaused(false)
  }, [toasts.length])
  const place = usePlace(toasts)
  if (toasts.length === 0) return null
  return createPortal(
    <div
      ref={place}
      className="toasts"
      data-toasts
      onPointerMove={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
    >
      {toasts.slice(0, TOAST_LIMIT).map((toast) => (
        <ToastItem key={toast.id} toast={toast} isPaused={isPaused} />
      ))}
    </div>,
    document.body,
  )
}

const GAP = 8

/** On a phone toasts are below the title that they would cover: of the open dialog, with its closing button, or of the page. */
function usePlace(toasts: readonly Toast[]) {
  const ref = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null || toasts.length === 0) return
    element.style.top = ''
    if (!window.matchMedia('(width < 40em)').matches) return
    const dialog = [...document.querySelectorAll('dialog[open]')].at(-1)
    const title = (dialog ?? document).querySelector(dialog ? 'h2' : 'h1')?.getBoundingClientRect()
    const { top, bottom } = element.getBoundingClientRect()
    if (title && title.top < bottom + GAP && title.bottom > top) {
      element.style.top = `${title.bottom + (dialog ? 2 : 1) * GAP}px`
    }
  }, [toasts])
  return ref
}

function ToastItem({ toast, isPaused }: { readonly toast: Toast; readonly isPaused: boolean }) {
  const t = useCommonText()
  const { id, tone, message, autoClose, role } = toast
  const [isLeaving, setIsLeaving] = useState(false)
  useEffect(() => {
    if (isPaused) {
      setIsLeaving(false)
      return
    }
    // Two timers: the second must not wait for the render that the first causes.
    const timers = [
      setTimeout(() => setIsLeaving(true), autoClose),
      setTimeout(() => toastStore.remove(id), autoClose + LEAVING_MS),
    ]
    return () => {
      for (const timer of timers) clearTimeout(timer)
    }
  }, [autoClose, id, isPaused])
  return (
    <div className={`toast toast-${tone}`} role={role} data-leaving={isLeaving || undefined}>
      <p>{message}</p>
      <button type="button" aria-label={t('dismiss')} onClick={() => toastStore.remove(id)}>
        <IconX size={16} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}
