import { Skeleton } from '@mantine/core'
import { ApiError } from '../../api/errors.ts'
import styles from './form.module.css'

/** As high as a form with one field and a button. */
export const FieldSkeleton = () => (
  <div className={styles.form} aria-hidden="true">
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
    <p className={styles.error} role="alert">
      {children}
    </p>
  )

/** Nothing when the session has ended: then the page is on its way out and has said why. */
export const errorText = (error: Error | null): string | null =>
  error === null || (error instanceof ApiError && error.sessionEnded) ? null : error.message
