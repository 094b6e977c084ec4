import type { CSSProperties, ElementType, HTMLAttributes } from 'react'
import styles from './flow.module.css'

interface FlowProps extends HTMLAttributes<HTMLElement> {
  readonly as?: ElementType
  /** One of the steps of space, in pixels. */
  readonly gap?: 4 | 8 | 12 | 16 | 24 | 32 | 48
  readonly align?: 'start' | 'center' | 'end' | 'baseline'
  readonly justify?: 'start' | 'center' | 'end' | 'between'
}

const flow =
  (kind: string | undefined, defaultGap: FlowProps['gap']) =>
  ({ as: Element = 'div', gap = defaultGap, align, justify, className, style, ...rest }: FlowProps) => (
    <Element
      className={className ? `${kind} ${className}` : kind}
      data-align={align}
      data-justify={justify}
      style={{ '--gap': `var(--space-${gap})`, ...style } as CSSProperties}
      {...rest}
    />
  )

/** Its children are below each other. */
export const Stack = flow(styles.stack, 16)
