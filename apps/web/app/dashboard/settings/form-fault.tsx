import { CallError } from '../../lib/call-error.ts'
import styles from './form.module.css'

/** Why a form was not taken. It stays until the next try. */
export const FormFault = ({ children }: { readonly children: string | null }) =>
  children && (
    <p className={styles.fault} role="alert">
      {children}
    </p>
  )

/** Nothing when the session has ended: then the page is on its way out and has said why. */
export const faultText = (error: Error | null): string | null =>
  error === null || (error instanceof CallError && error.sessionEnded) ? null : error.message
