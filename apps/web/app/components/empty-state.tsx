import { Button, Skeleton } from '@mantine/core'
import type { ComponentType, MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router'
import { useErrorText } from '../api/api-error.ts'
import { useDashboardText } from '../lib/dashboard-text.ts'
import { paths } from '../lib/paths.ts'
import { BusyButton } from './button.tsx'
import styles from './empty-state.module.css'
import panel from './panel.module.css'

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

/** The next step of a merchant who has no payment yet. */
export function HowToPay() {
  const t = useDashboardText()
  return (
    <Button component={Link} to={paths.firstPayment} variant="default">
      {t('howToPay')}
    </Button>
  )
}

interface LoadErrorProps {
  readonly children: string
  readonly onRetry: () => void
  readonly retrying: boolean
}

export function LoadError({ children, onRetry, retrying }: LoadErrorProps) {
  const t = useDashboardText()
  const retry = (event: MouseEvent<HTMLElement>) => {
    // The button is removed when the retry succeeds: the focus moves to the page's content.
    event.currentTarget.closest('main')?.focus({ preventScroll: true })
    onRetry()
  }
  return (
    <div className={styles.error} role="alert">
      <div>
        <p className={styles.title}>{children}</p>
        <p className={styles.text}>{t('nothingLost')}</p>
      </div>
      <BusyButton variant="default" running={retrying} onClick={retry}>
        {t('retry')}
      </BusyButton>
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

/** Placeholders for the rows of a table that is loading. */
export const LoadingRows = ({ children }: { readonly children: string }) => (
  <div className={panel.loading} role="status">
    <p>{children}</p>
    <div className={panel.bars} aria-hidden="true">
      {['a', 'b', 'c', 'd', 'e'].map((row) => (
        <Skeleton key={row} h={36} />
      ))}
    </div>
  </div>
)
