import { type ReactNode, useId } from 'react'
import { font, panelClass, row } from './classes.ts'
import styles from './panel.module.css'

interface PanelProps {
  readonly title: string
  /** The name for screen readers, where a page has several panels with the title. */
  readonly name?: string
  /** The content at the right of the title. */
  readonly aside?: ReactNode
  /** True while the content is loading. */
  readonly busy: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A part of a page with a title. */
export function Panel({ title, name, aside, busy, className = '', children }: PanelProps) {
  const id = useId()
  return (
    <section
      {...(name === undefined ? { 'aria-labelledby': id } : { 'aria-label': name })}
      aria-busy={busy}
      className={`${panelClass} ${className}`}
    >
      <div className={`${styles.head} ${row('centre', 'between', 'gap16')}`}>
        <h2 id={id} className={font('lg', 'semibold', 'close')}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
