import type { ReactNode } from 'react'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { IconRefresh } from '../icons.ts'
import { Button } from './button.tsx'
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
  const reserved = { className: styles.label, 'data-longest': t('refreshing') }
  return (
    <Button
      kind="default"
      running={loading}
      runningLabel={<span {...reserved}>{t('refreshing')}</span>}
      onClick={onClick}
    >
      <span {...reserved} data-icon>
        <span>
          <IconRefresh size={16} stroke={1.75} aria-hidden />
          {t('refresh')}
        </span>
      </span>
    </Button>
  )
}
