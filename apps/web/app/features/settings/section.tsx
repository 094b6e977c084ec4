import { type ReactNode, useId } from 'react'
import { ApiError, useErrorText } from '../../api/api-error.ts'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import { font, notice, panelClass } from '../../components/ui/classes.ts'
import { QueryError, type QueryState } from '../../components/ui/empty-state.tsx'
import styles from './section.module.css'

interface SectionProps {
  readonly title: string
  /** One sentence about the subject. */
  readonly about: string
  /** The query of the content, whose error is shown in place of the content. */
  readonly query?: QueryState & { readonly data: unknown }
  /** Whether the list of a field may cover what is below the panel. */
  readonly isForm?: boolean
  readonly children: ReactNode
}

/** One subject of the account: its description on the left, its values and actions on the right. */
export function Section({ title, about, query, isForm, children }: SectionProps) {
  const id = useId()
  const isMissing = query !== undefined && query.data === undefined
  const hasFailed = isMissing && query.error !== null
  return (
    <section
      aria-labelledby={id}
      aria-busy={isMissing && !hasFailed}
      tabIndex={-1}
      className={styles.section}
    >
      <div>
        <h2 id={id} className={`${styles.title} ${font('lg', 'semibold', 'close')}`}>
          {title}
        </h2>
        <p className={`${styles.about} ${font('md', 'quiet', 'above2')}`}>{about}</p>
      </div>
      {hasFailed ? (
        <QueryError query={query} />
      ) : (
        <div className={`${panelClass} ${styles.body}`} data-form={isForm}>
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
      <p className={notice('failure')} role="alert">
        {errorText(error)}
      </p>
    )
  )
}
