import type { ElementType, HTMLAttributes } from 'react'

interface VisuallyHiddenProps extends HTMLAttributes<HTMLElement> {
  readonly as?: ElementType
}

/** For screen readers only. */
export const VisuallyHidden = ({ as: Element = 'div', ...rest }: VisuallyHiddenProps) => (
  <Element className="visuallyHidden" {...rest} />
)
