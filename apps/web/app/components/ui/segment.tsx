import type { ComponentProps } from 'react'

/** One of the values of a choice, beside the others. */
export const Segment = ({ className, title, children, ...input }: ComponentProps<'input'>) => (
  <label className={`segment ${className ?? ''}`} title={title}>
    <input type="radio" {...input} />
    {children}
  </label>
)
