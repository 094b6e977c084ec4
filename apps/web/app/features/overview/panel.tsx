import { type ReactNode, useId } from 'react'
import panel from '../../components/panel.module.css'
import styles from './overview.module.css'

interface PanelProps {
  readonly title: string
  /** The content at the right of the title. */
  readonly aside?: ReactNode
  /** True while the content is loading. */
  readonly busy: boolean
  readonly className?: string | undefined
  readonly children: ReactNode
}

export function Panel({ title, aside, busy, className = '', children }: PanelProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} aria-busy={busy} className={`${panel.panel} ${className}`}>
      <div className={styles.panelHead}>
        <h2 id={id} className={styles.panelTitle}>
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
