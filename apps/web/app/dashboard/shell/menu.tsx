import { UnstyledButton } from '@mantine/core'
import { Link, useLocation } from 'react-router'
import { IconLogout } from '../../ui/icons.ts'
import { Appearance } from './appearance.tsx'
import { entries, isActive } from './entries.ts'
import styles from './shell.module.css'

interface MenuProps {
  readonly onSignOut: () => void
}

export function Menu({ onSignOut }: MenuProps) {
  const { pathname } = useLocation()
  return (
    <>
      <nav aria-label="Dashboard" className={styles.menu}>
        {entries.map(({ label, to, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={styles.entry}
            {...(isActive(to, pathname) ? { 'aria-current': 'page' as const } : {})}
          >
            <Icon size={20} stroke={1.75} aria-hidden />
            {label}
          </Link>
        ))}
        <UnstyledButton className={styles.entry} mt="auto" onClick={onSignOut}>
          <IconLogout size={20} stroke={1.75} aria-hidden />
          Sign Out
        </UnstyledButton>
      </nav>
      <Appearance />
    </>
  )
}
