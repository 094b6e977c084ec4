import { useIntersection } from '@mantine/hooks'
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import styles from './reveal.module.css'

interface RevealProps {
  readonly children: ReactNode
  readonly className?: string | undefined
  /** How long after its neighbours it begins to move. */
  readonly delayMs?: number
}

/**
 * Fades and slides its content in when it comes into view. What the server sends is visible as it is: only what is found
 * below the fold, by a reader who does not mind motion, is hidden until its turn.
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
