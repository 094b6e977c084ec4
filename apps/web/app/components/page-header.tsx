import type { ReactNode } from 'react'
import { useDashboardText } from '../lib/dashboard-text.ts'
import { BusyButton } from './button.tsx'
import { IconRefresh } from './icons.ts'
import styles from './page-header.module.css'

interface PageHeaderProps {
  readonly title: string
  readonly subtitle?: string
  readonly children?: ReactNode
}

export const PageHeader = ({ title, subtitle, children }: PageHeaderProps) => (
  <div className={styles.head}>
    <div className={styles.words}>
      <h1 className={styles.title}>{title}</h1>
      {subtitle && <p className={styles.subtitle}>{subtitle}</p>}
    </div>
    <div className={styles.actions}>{children}</div>
  </div>
)

interface RefreshButtonProps {
  readonly loading: boolean
  readonly onClick: () => void
}

export function RefreshButton({ loading, onClick }: RefreshButtonProps) {
  const t = useDashboardText()
  const label = (text: string) => (
    <span className={styles.label} data-longest={t('refreshing')}>
      {text}
    </span>
  )
  return (
    <BusyButton
      variant="default"
      className={styles.refresh ?? ''}
      running={loading}
      runningLabel={label(t('refreshing'))}
      onClick={onClick}
      leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
    >
      {label(t('refresh'))}
    </BusyButton>
  )
}
