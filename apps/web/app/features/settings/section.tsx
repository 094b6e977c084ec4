import { type ReactNode, useId } from 'react'
import { LoadError } from '../../components/empty-state.tsx'
import panel from '../../components/panel.module.css'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  /** The subject in a sentence. */
  readonly about: string
  /** True while the content is loading. */
  readonly busy?: boolean
  /** The error that is shown instead of the content. */
  readonly error?: SectionError | null
  readonly children: ReactNode
}

interface SectionError {
  readonly text: string
  readonly onRetry: () => void
  readonly retrying: boolean
}

/** One subject of the account: its description on the left, its values and actions on the right. */
export function Section({ title, about, busy = false, error = null, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} aria-busy={busy && !error} className={styles.section}>
      <div>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <p className={styles.about}>{about}</p>
      </div>
      {error ? (
        <LoadError onRetry={error.onRetry} retrying={error.retrying}>
          {error.text}
        </LoadError>
      ) : (
        <div className={`${panel.panel} ${styles.body}`}>{children}</div>
      )}
    </section>
  )
}
