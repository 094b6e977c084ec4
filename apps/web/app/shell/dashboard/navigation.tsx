import { type ReactNode, useId, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useAccount } from '../../api/account.ts'
import { IconDeviceDesktop, IconLogout, IconMenu2, IconMoon, IconSun } from '../../components/icons.ts'
import { Logo } from '../../components/logo.tsx'
import { font, iconButtonClass, row, stack } from '../../components/ui/classes.ts'
import { PlacedDialog } from '../../components/ui/dialog.tsx'
import { Segment } from '../../components/ui/segment.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../color-scheme.ts'
import appearance from './appearance.module.css'
import styles from './dashboard-layout.module.css'
import { isOpenTo, navigationEntries } from './entries.ts'
import { Monogram, Person, Shop } from './identity.tsx'

/** Compares by prefix, so that the page of an application marks its entry. The first page, the prefix of all paths, must match exactly. */
export const isActiveEntry = (to: string, pathname: string): boolean => {
  const here = pathname.replace(/\/+$/, '')
  return here === to || (to.lastIndexOf('/') > 0 && here.startsWith(`${to}/`))
}

/** On the dashboard itself the link scrolls to the top, like every link to the present page. */
export function Brand() {
  const t = useDashboardText()
  return (
    <Link to={paths.dashboard} className={styles.brand} aria-label={t('dashboardHome')}>
      <Logo size={26} />
    </Link>
  )
}

interface MenuProps {
  readonly onSignOut: () => void
}

export function Menu({ onSignOut }: MenuProps) {
  const { pathname } = useLocation()
  const { data: account } = useAccount()
  const t = useDashboardText()
  const common = useCommonText()
  const entries = navigationEntries.filter((entry) => isOpenTo(account, entry))
  return (
    <>
      <Shop />
      <nav aria-label={t('dashboardPage')} className={`${styles.menu} ${stack('grow')}`}>
        {entries.map(({ label, to, icon: Icon }) => (
          <Link
            key={to}
            to={to}
            className={`${styles.entry} ${font('md', 'medium', 'quiet')} ${row('centre', 'gap12')}`}
            {...(isActiveEntry(to, pathname) ? { 'aria-current': 'page' as const } : {})}
          >
            <Icon size={20} stroke={1.75} aria-hidden />
            {t(label)}
          </Link>
        ))}
        <button
          type="button"
          className={`${styles.entry} ${font('md', 'medium', 'quiet')} ${row('centre', 'gap12')}`}
          onClick={onSignOut}
        >
          <IconLogout size={20} stroke={1.75} aria-hidden />
          {common('signOut')}
        </button>
      </nav>
      <Appearance />
      <Person />
    </>
  )
}

export const Sidebar = ({ onSignOut }: MenuProps) => (
  <aside className={styles.sidebar}>
    <Brand />
    <Menu onSignOut={onSignOut} />
  </aside>
)

/** The navigation on a small screen. */
export const TopBar = ({ onSignOut }: MenuProps) => (
  <header className={`${styles.topBar} ${row('centre', 'gap8')}`}>
    <Brand />
    <Monogram />
    <MenuButton>
      <Menu onSignOut={onSignOut} />
    </MenuButton>
  </header>
)

/** Opens the menu of a small screen in a dialog. */
export function MenuButton({ children }: { readonly children: ReactNode }) {
  const { key: here } = useLocation()
  const t = useDashboardText()
  const common = useCommonText()
  // The menu belongs to the history entry at which it was opened, so that every navigation closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const opened = openedAt === here
  return (
    <>
      <button
        type="button"
        className={`${iconButtonClass} ${font('strong')}`}
        aria-label={common('openMenu')}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onClick={() => setOpenedAt(here)}
      >
        <IconMenu2 size={24} stroke={1.75} aria-hidden />
      </button>
      <PlacedDialog
        opened={opened}
        onClose={() => setOpenedAt(null)}
        title={t('menu')}
        closeLabel={common('closeMenu')}
        place="side"
      >
        {children}
      </PlacedDialog>
    </>
  )
}

const links = [
  ['footerDocumentation', paths.documentation],
  ['footerHelp', paths.help],
  ['footerStatus', paths.status],
] as const

export function DashboardFooter() {
  const t = useDashboardText()
  return (
    <footer
      data-page-footer
      className={`${styles.footer} ${row('wrap', 'centre', 'gap20', 'rows4')} ${font('sm', 'quiet')}`}
    >
      <p>© {new Date().getFullYear()} Muripo</p>
      {links.map(([label, to]) => (
        <Link key={to} to={to}>
          {t(label)}
        </Link>
      ))}
    </footer>
  )
}

const choices = [
  { value: 'light', label: 'light', icon: IconSun },
  { value: 'dark', label: 'dark', icon: IconMoon },
  { value: 'system', label: 'systemScheme', icon: IconDeviceDesktop },
] as const satisfies readonly { value: SchemeChoice; label: string; icon: typeof IconSun }[]

export function Appearance() {
  const chosen = useSchemeChoice()
  const t = useDashboardText()
  const name = useId()
  return (
    <fieldset className={`${appearance.choice} ${row('centre')}`}>
      <legend className={`${appearance.legend} ${font('sm', 'quiet')}`}>{t('appearance')}</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <Segment
          key={value}
          className={appearance.option}
          title={t(label)}
          name={name}
          aria-label={t(label)}
          checked={chosen === value}
          onChange={() => chooseScheme(value)}
        >
          <Icon size={18} stroke={1.75} aria-hidden />
        </Segment>
      ))}
    </fieldset>
  )
}
