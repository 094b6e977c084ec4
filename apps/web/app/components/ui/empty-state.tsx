import type { ComponentType, ReactNode } from 'react'
import { useErrorText } from '../../api/api-error.ts'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { Button } from './button.tsx'
import styles from './empty-state.module.css'

interface MessageProps {
  readonly icon: ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** The replacement of an empty list: its future content, or the reason why it is empty. */
export function EmptyState({ icon: Icon, title, children, action }: MessageProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Icon size={24} stroke={1.75} aria-hidden />
      </span>
      <p className={styles.title}>{title}</p>
      {children && <p className={styles.text}>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

interface LoadErrorProps {
  readonly children: string
  readonly onRetry: () => void
  readonly retrying: boolean
}

export function LoadError({ children, onRetry, retrying }: LoadErrorProps) {
  const t = useDashboardText()
  return (
    <div className={styles.error} role="alert">
      <div>
        <p className={styles.title}>{children}</p>
        <p className={styles.text}>{t('nothingLost')}</p>
      </div>
      <Button kind="default" running={retrying} onClick={onRetry}>
        {t('retry')}
      </Button>
    </div>
  )
}

export interface QueryState {
  readonly error: Error | null
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/** The error of a query, in place of its data. */
export function QueryError({ query: { error, isFetching, refetch } }: { readonly query: QueryState }) {
  const errorText = useErrorText()
  return (
    error && (
      <LoadError onRetry={() => void refetch()} retrying={isFetching}>
        {errorText(error)}
      </LoadError>
    )
  )
}
