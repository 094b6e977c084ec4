import { useEffect, useState } from 'react'
import { chapters } from './contents.ts'

const ids = chapters.flatMap(({ id, parts }) => [id, ...parts.map((part) => part.id)])
/** A head counts as read from when it stands below the bar. */
const READING_LINE_PX = 140

/** The id of the last head above the reading line; null before the first, and without script. */
export function useCurrentPlace(): string | null {
  const [current, setCurrent] = useState<string | null>(null)
  useEffect(() => {
    let frame = 0
    const look = () => {
      frame = 0
      const atEnd = window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2
      const passed = ids.filter((id) => {
        const head = document.getElementById(id)
        return head !== null && head.getBoundingClientRect().top <= READING_LINE_PX
      })
      setCurrent((atEnd ? ids.at(-1) : passed.at(-1)) ?? null)
    }
    const onScroll = () => {
      frame ||= requestAnimationFrame(look)
    }
    look()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('scroll', onScroll)
    }
  }, [])
  return current
}
