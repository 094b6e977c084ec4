import { useCallback } from 'react'

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
