import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { IconArrowLeft } from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'
import styles from './auth.module.css'
import { useAuthText } from './text.ts'

interface AuthCardProps {
  readonly title: string
  readonly intro: string
  readonly wide?: boolean
  /** The card replaced a form: its title receives the focus, so that a screen reader reads it. */
  readonly announced?: boolean
  readonly children: ReactNode
}

export function AuthCard({ title, intro, wide, announced = false, children }: AuthCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (announced) heading.current?.focus()
  }, [announced])
  return (
    <div className={styles.card} data-wide={wide || undefined}>
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {title}
      </h1>
      <p className={styles.intro}>{intro}</p>
      {children}
    </div>
  )
}

export function BackToSignIn() {
  const t = useAuthText()
  return (
    <p className={styles.below}>
      <Link to={paths.signIn} className={styles.link}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('backToSignIn')}
      </Link>
    </p>
  )
}
