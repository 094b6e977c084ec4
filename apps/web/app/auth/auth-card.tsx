import type { ReactNode } from 'react'
import styles from './auth.module.css'

interface AuthCardProps {
  readonly title: string
  readonly intro: string
  readonly wide?: boolean
  readonly children: ReactNode
}

export const AuthCard = ({ title, intro, wide, children }: AuthCardProps) => (
  <div className={styles.card} data-wide={wide || undefined}>
    <h1 className={styles.title}>{title}</h1>
    <p className={styles.intro}>{intro}</p>
    {children}
  </div>
)
