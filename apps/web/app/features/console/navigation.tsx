import { useMutation } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Link, useLocation } from 'react-router'
import { useErrorToast } from '../../components/error-toast.ts'
import { LanguageLinks } from '../../components/language-links.tsx'
import { LogoIcon } from '../../components/logo.tsx'
import { font, iconButtonClass, place, row, stack } from '../../components/ui/classes.ts'
import { VisuallyHidden } from '../../components/ui/visually-hidden.tsx'
import { initialsOf } from '../../lib/initials.ts'
import { useCommonText } from '../../lib/page-text.ts'
import layout from '../../shell/dashboard/dashboard-layout.module.css'
import { Appearance, isActiveEntry, MenuButton } from '../../shell/dashboard/navigation.tsx'
import { signOut, useConsoleMay, useMe, useToday } from './api.ts'
import styles from './console.module.css'
import { addressOf, type Entry, menu } from './entries.ts'
import { IconLogout } from './icons.ts'
import { dropReturnTo } from './session.ts'
import { roleText, useConsoleText } from './text.ts'

function Brand() {
  const t = useConsoleText()
  return (
    <Link
      to="/console"
      className={`${layout.brand} ${row('gap8')} ${font('lg', 'bold', 'tight')}`}
      aria-label={t('consoleHome')}
    >
      <LogoIcon size={26} />
      {t('consoleName')}
    </Link>
  )
}

/** The work that waits on the page of an entry; on Today, all of it. */
function useWaiting(): (entry: Entry) => number {
  const { data: today } = useToday(useConsoleMay('console.today'))
  return ({ path, waits }) => {
    const counted = today?.waiting.filter(({ kind }) => path === '' || waits.includes(kind)) ?? []
    return counted.reduce((sum, { count }) => sum + count, 0)
  }
}

function Menu() {
  const t = useConsoleText()
  const { pathname } = useLocation()
  const { data: me } = useMe()
  const waiting = useWaiting()
  const open = menu.filter(({ needs }) => me?.permissions.includes(needs))
  const groups = [...new Set(open.map(({ group }) => group))]
  return (
    <nav aria-label={t('consoleNavigation')} className={`${styles.menu} ${stack('grow')}`}>
      {groups.map((group) => (
        <Fragment key={group ?? ''}>
          {group && <h2 className={`${styles.group} ${font('xs', 'semibold')}`}>{t(group)}</h2>}
          {open
            .filter((entry) => entry.group === group)
            .map((entry) => (
              <EntryLink
                key={entry.path}
                entry={entry}
                isActive={isActiveEntry(addressOf(entry), pathname)}
                waiting={waiting(entry)}
              />
            ))}
        </Fragment>
      ))}
    </nav>
  )
}

interface EntryLinkProps {
  readonly entry: Entry
  readonly isActive: boolean
  readonly waiting: number
}

function EntryLink({ entry, isActive, waiting }: EntryLinkProps) {
  const t = useConsoleText()
  const { title, icon: Icon } = entry
  return (
    <Link
      to={addressOf(entry)}
      className={`${layout.entry} ${font('md', 'medium', 'quiet')} ${row('centre', 'gap12')}`}
      {...(isActive ? { 'aria-current': 'page' as const } : {})}
    >
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={place('grow')}>{t(title)}</span>
      {waiting > 0 && (
        <span className={`${styles.waiting} ${font('xs', 'semibold', 'numbers')}`}>
          <span aria-hidden>{waiting}</span>
          <VisuallyHidden>{t('consoleWaits', { count: waiting })}</VisuallyHidden>
        </span>
      )}
    </Link>
  )
}

/** The operator with the way out. A sign-out loads the document again, so that nothing of the session stays in this tab. */
function Operator() {
  const t = useConsoleText()
  const common = useCommonText()
  const { data: me } = useMe()
  const toastError = useErrorToast()
  const leaving = useMutation({
    mutationFn: signOut,
    onError: toastError,
    onSuccess() {
      dropReturnTo()
      window.location.assign('/console/sign-in')
    },
  })
  if (me === undefined) return null
  return (
    <div className={`${styles.operator} ${row('centre', 'gap12')}`}>
      <span className={`${styles.initials} ${font('xs', 'semibold')}`} aria-hidden>
        {initialsOf(me.name)}
      </span>
      <div className={place('grow')}>
        <p className={font('sm', 'semibold', 'clip')}>{me.name}</p>
        <p className={`${styles.role} ${font('xs', 'clip')}`}>{roleText(me.role, t)}</p>
      </div>
      <button
        type="button"
        className={iconButtonClass}
        aria-label={common('signOut')}
        aria-disabled={leaving.isPending || undefined}
        onClick={() => leaving.isPending || leaving.mutate()}
      >
        <IconLogout size={20} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}

const MenuAndFoot = () => (
  <>
    <Menu />
    <Appearance />
    <LanguageLinks />
    <Operator />
  </>
)

export const Sidebar = () => (
  <aside className={styles.sidebar} data-color-scheme="dark">
    <Brand />
    <MenuAndFoot />
  </aside>
)

/** The navigation on a small screen. */
export function TopBar() {
  const { data: me } = useMe()
  return (
    <header className={`${styles.topBar} ${row('centre', 'gap8')}`} data-color-scheme="dark">
      <Brand />
      <span className={`${styles.initials} ${font('xs', 'semibold')}`} aria-hidden>
        {me && initialsOf(me.name)}
      </span>
      <MenuButton>
        <MenuAndFoot />
      </MenuButton>
    </header>
  )
}
