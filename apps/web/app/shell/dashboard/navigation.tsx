import { Drawer, UnstyledButton } from '@mantine/core'
import { useId, useState } from 'react'
import { Link, useLocation } from 'react-router'
import {
  IconApps,
  IconArrowsExchange,
  IconCreditCard,
  IconDeviceDesktop,
  IconLayoutDashboard,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconSettings,
  IconSun,
} from '../../components/icons.ts'
import { Logo } from '../../components/logo.tsx'
import { paths } from '../../lib/paths.ts'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../color-scheme.ts'
import appearance from './appearance.module.css'
import styles from './dashboard-layout.module.css'

export const entries = [
  { label: 'Dashboard', to: paths.dashboard, icon: IconLayoutDashboard },
  { label: 'Payments', to: paths.payments, icon: IconCreditCard },
  { label: 'Applications', to: paths.applications, icon: IconApps },
  { label: 'Reconciliations', to: paths.reconciliations, icon: IconArrowsExchange },
  { label: 'Settings', to: paths.settings, icon: IconSettings },
] as const

/** By prefix, so that an application's own page keeps its entry lit; the dashboard is the prefix of all, so only itself. */
export const isActive = (to: string, pathname: string): boolean => {
  const here = pathname.replace(/\/+$/, '')
  return here === to || (to !== paths.dashboard && here.startsWith(`${to}/`))
}

/** On the dashboard itself it leads to where the page begins, as every link to the page that one is on. */
export const Brand = () => (
  <Link to={paths.dashboard} className={styles.brand} aria-label="Muripo dashboard">
    <Logo size={26} />
  </Link>
)

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

interface SidebarProps {
  readonly onSignOut: () => void
}

export const Sidebar = ({ onSignOut }: SidebarProps) => (
  <aside className={styles.sidebar}>
    <Brand />
    <Menu onSignOut={onSignOut} />
  </aside>
)

interface TopBarProps {
  readonly onSignOut: () => void
  /** While the question stands over the menu, Escape answers the question. */
  readonly signingOut: boolean
}

/** The shell on a small screen. */
export function TopBar({ onSignOut, signingOut }: TopBarProps) {
  const { key: here } = useLocation()
  // The menu belongs to the visit in which it was opened, so that every way onward closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const opened = openedAt === here
  const close = () => setOpenedAt(null)
  return (
    <header className={styles.topBar}>
      <Brand />
      <UnstyledButton
        className={styles.burger}
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpenedAt(here)}
      >
        <IconMenu2 size={24} stroke={1.75} aria-hidden />
      </UnstyledButton>
      <Drawer
        opened={opened}
        onClose={close}
        closeOnEscape={!signingOut}
        position="right"
        size={288}
        padding={16}
        title="Menu"
        closeButtonProps={{ 'aria-label': 'Close menu', size: 44, iconSize: 22 }}
        transitionProps={{ duration: 200 }}
        classNames={{ body: styles.drawerBody ?? '', content: styles.drawer ?? '' }}
      >
        <Menu onSignOut={onSignOut} />
      </Drawer>
    </header>
  )
}

const links = [
  ['Documentation', paths.documentation],
  ['Help', paths.help],
  ['Status', paths.status],
] as const

export const ShellFooter = () => (
  <footer data-page-footer className={styles.footer}>
    <p>© {new Date().getFullYear()} Muripo</p>
    {links.map(([label, to]) => (
      <Link key={to} to={to}>
        {label}
      </Link>
    ))}
  </footer>
)

const choices: readonly { value: SchemeChoice; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'system', label: 'System', icon: IconDeviceDesktop },
]

function Appearance() {
  const chosen = useSchemeChoice()
  const name = useId()
  return (
    <fieldset className={appearance.choice}>
      <legend className={appearance.legend}>Appearance</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <label key={value} className={appearance.option} title={label}>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={chosen === value}
            onChange={() => chooseScheme(value)}
          />
          <Icon size={18} stroke={1.75} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
