import type { ElementType, HTMLAttributes } from 'react'
import styles from './visually-hidden.module.css'

interface VisuallyHiddenProps extends HTMLAttributes<HTMLElement> {
  readonly as?: ElementType
}

/** For screen readers only. */
export const VisuallyHidden = ({ as: Element = 'div', ...rest }: VisuallyHiddenProps) => (
  <Element className={styles.hidden} {...rest} />
)
