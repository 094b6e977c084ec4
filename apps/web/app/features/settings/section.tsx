import { type ReactNode, useId } from 'react'
import { ApiError, useErrorText } from '../../api/api-error.ts'
import { LoadError } from '../../components/empty-state.tsx'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import panel from '../../components/panel.module.css'
import form from './form.module.css'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  /** One sentence about the subject. */
  readonly about: string
  /** True while the content is loading. */
  readonly busy?: boolean
  /** The error that is shown instead of the content. */
  readonly error?: SectionError | null
  readonly children: ReactNode
}

interface SectionError {
  readonly error: Error
  readonly onRetry: () => void
  readonly retrying: boolean
}

/** One subject of the account: its description on the left, its values and actions on the right. */
export function Section({ title, about, busy = false, error = null, children }: SectionProps) {
  const id = useId()
  const errorText = useErrorText()
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
          {errorText(error.error)}
        </LoadError>
      ) : (
        <div className={`${panel.panel} ${styles.body}`}>
          <ErrorBoundary>{children}</ErrorBoundary>
        </div>
      )}
    </section>
  )
}

interface FormErrorProps {
  readonly error: Error | null
}

/** The error of a refused form, until the next attempt. Empty after the end of the session, because the sign-out shows the reason. */
export function FormError({ error }: FormErrorProps) {
  const errorText = useErrorText()
  const isLeaving = error instanceof ApiError && error.sessionEnded
  return (
    error !== null &&
    !isLeaving && (
      <p className={form.error} role="alert">
        {errorText(error)}
      </p>
    )
  )
}
