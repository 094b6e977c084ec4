import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { IconRefresh } from './icons.ts'
import styles from './page-header.module.css'

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

export function RefreshButton({ loading, onClick }: RefreshButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  const pressed = useRef(false)
  useEffect(() => {
    // What is disabled loses the focus; whoever pressed it goes on from here.
    if (!loading && pressed.current && document.activeElement === document.body) button.current?.focus()
    if (!loading) pressed.current = false
  }, [loading])
  const press = () => {
    pressed.current = true
    onClick()
  }
  return (
    <Button
      ref={button}
      variant="default"
      className={styles.refresh ?? ''}
      disabled={loading}
      onClick={press}
      leftSection={<IconRefresh size={18} stroke={1.75} aria-hidden />}
    >
      {loading ? 'Refreshing...' : 'Refresh'}
    </Button>
  )
}
