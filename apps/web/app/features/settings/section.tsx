import { type ReactNode, useId } from 'react'
import { LoadError } from '../../components/empty-state.tsx'
import panel from '../../components/panel.module.css'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  /** What it is about, in a sentence. */
  readonly about: string
  /** What is inside is still on its way. */
  readonly busy?: boolean
  /** Instead of what is inside: why it could not be read. */
  readonly fault?: Fault | null
  readonly children: ReactNode
}

interface Fault {
  readonly text: string
  readonly onRetry: () => void
  readonly retrying: boolean
}

/** One matter of the account: what it is on the left, what can be seen and done on the right. */
export function Section({ title, about, busy = false, fault = null, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} aria-busy={busy && !fault} className={styles.section}>
      <div>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <p className={styles.about}>{about}</p>
      </div>
      {fault ? (
        <LoadError onRetry={fault.onRetry} retrying={fault.retrying}>
          {fault.text}
        </LoadError>
      ) : (
        <div className={`${panel.panel} ${styles.body}`}>{children}</div>
      )}
    </section>
  )
}
