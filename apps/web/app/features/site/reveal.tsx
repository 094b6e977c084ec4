import type { CSSProperties, ReactNode } from 'react'
import styles from './reveal.module.css'

interface RevealProps {
  readonly children: ReactNode
  readonly className?: string | undefined
  /** The delay after the elements beside it. */
  readonly delayMs?: number
}

/**
 * Fades its content in when it comes into view. The server sends it visible: the page's own script hides only content below the fold until
 * then, unless the user prefers reduced motion.
 */
export const Reveal = ({ children, className, delayMs = 0 }: RevealProps) => (
  <div
    className={`${styles.reveal} ${className ?? ''}`}
    data-fades
    style={{ '--delay': `${delayMs}ms` } as CSSProperties}
  >
    {children}
  </div>
)
