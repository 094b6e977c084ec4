import { type RefObject, useEffect, useEffectEvent } from 'react'

/** What is open goes when the page scrolls, when something outside is pressed, and on Escape. */
export function useDismiss(
  open: boolean,
  inside: RefObject<HTMLElement | null>,
  onDismiss: (how: 'scroll' | 'outside' | 'escape') => void,
): void {
  const dismiss = useEffectEvent(onDismiss)
  useEffect(() => {
    if (!open) return
    const ends = new AbortController()
    const { signal } = ends
    window.addEventListener('scroll', () => dismiss('scroll'), { passive: true, signal })
    document.addEventListener(
      'pointerdown',
      (event) => {
        if (!inside.current?.contains(event.target as Node)) dismiss('outside')
      },
      { signal },
    )
    document.addEventListener('keydown', (event) => event.key === 'Escape' && dismiss('escape'), { signal })
    return () => ends.abort()
  }, [open, inside])
}
