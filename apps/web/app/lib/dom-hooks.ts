import { type RefObject, useCallback, useEffect, useEffectEvent, useState } from 'react'

/** An open menu or panel closes when the page scrolls, on a press outside, and on Escape. */
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

/** Whether the page has scrolled further than a number of pixels. */
export function useScrolled(thresholdPx: number): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const update = () => setScrolled(window.scrollY > thresholdPx)
    update()
    window.addEventListener('scroll', update, { passive: true })
    return () => window.removeEventListener('scroll', update)
  }, [thresholdPx])
  return scrolled
}

const SCROLL_REST_MS = 300

/** Whether the page is being scrolled. */
export function useScrolling(): boolean {
  const [scrolling, setScrolling] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const onScroll = () => {
      setScrolling(true)
      clearTimeout(timer)
      timer = setTimeout(() => setScrolling(false), SCROLL_REST_MS)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      window.removeEventListener('scroll', onScroll)
      clearTimeout(timer)
    }
  }, [])
  return scrolling
}

/** Marks a footer while it is in view: what floats makes room for it on a small screen. */
export const useFooterInView = () =>
  useCallback((footer: HTMLElement | null) => {
    if (footer === null) return
    const observer = new IntersectionObserver(([entry]) => {
      footer.toggleAttribute('data-footer-in-view', entry?.isIntersecting ?? false)
    })
    observer.observe(footer)
    return () => observer.disconnect()
  }, [])
