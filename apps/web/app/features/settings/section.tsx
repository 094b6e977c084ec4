import { Skeleton } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { ApiError } from '../../api/errors.ts'
import { LoadError } from '../../components/empty-state.tsx'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import panel from '../../components/panel.module.css'
import form from './form.module.css'
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
        <div className={`${panel.panel} ${styles.body}`}>
          <ErrorBoundary>{children}</ErrorBoundary>
        </div>
      )}
    </section>
  )
}

/** As high as a form with one field and a button. */
export const FieldSkeleton = () => (
  <div className={form.form} aria-hidden="true">
    <div>
      <Skeleton h={14} w={96} my={5} />
      <Skeleton h={42} mt={11} />
      <Skeleton h={12} w={200} mt={10} mb={5} />
    </div>
    <Skeleton h={42} w={160} />
  </div>
)

/** Why a form was not taken. It stays until the next try. */
export const FormError = ({ children }: { readonly children: string | null }) =>
  children && (
    <p className={form.error} role="alert">
      {children}
    </p>
  )

/** Nothing when the session has ended: then the page is on its way out and has said why. */
export const errorText = (error: Error | null): string | null =>
  error === null || (error instanceof ApiError && error.sessionEnded) ? null : error.message
