import { useIntersection } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import styles from './reveal.module.css'

interface RevealProps {
  readonly children: ReactNode
  readonly className?: string | undefined
  /** The delay after the elements beside it. */
  readonly delayMs?: number
}

/**
 * Fades its content in when it comes into view. The server sends it visible: only content below the fold is hidden until then, unless the
 * user prefers reduced motion.
 */
export function Reveal({ children, className, delayMs = 0 }: RevealProps) {
  const { ref, entry } = useIntersection({ threshold: 0.15 })
  const [phase, setPhase] = useState<'waiting' | 'shown' | undefined>()
  useEffect(() => {
    if (entry === null) return
    if (entry.isIntersecting) setPhase((before) => before && 'shown')
    else if (isBelow(entry) && !wantsStillness()) setPhase((before) => before ?? 'waiting')
  }, [entry])
  return (
    <div
      ref={ref}
      className={`${styles.reveal} ${className ?? ''}`}
      data-reveal={phase}
      style={{ '--delay': `${delayMs}ms` } as CSSProperties}
    >
      {children}
    </div>
  )
}

const isBelow = ({ boundingClientRect }: IntersectionObserverEntry) =>
  boundingClientRect.top > window.innerHeight
const wantsStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
