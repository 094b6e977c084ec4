import { useEffect, useState } from 'react'

/** Whether the page has scrolled more than so many pixels. */
export function useScrolled(thresholdPx: number): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > thresholdPx)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [thresholdPx])
  return scrolled
}
