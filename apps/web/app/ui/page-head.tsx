import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { IconRefresh } from './icons.ts'
import styles from './page-head.module.css'

interface PageHeadProps {
  readonly title: string
  readonly subtitle?: string
  readonly children?: ReactNode
}

export const PageHead = ({ title, subtitle, children }: PageHeadProps) => (
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

export const RefreshButton = ({ loading, onClick }: RefreshButtonProps) => (
  <Button
    variant="default"
    disabled={loading}
    onClick={onClick}
    leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
  >
    {loading ? 'Refreshing...' : 'Refresh'}
  </Button>
)
