import { useMutation } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useErrorToast } from '../../components/error-toast.ts'
import { LanguageLinks } from '../../components/language-links.tsx'
import { LogoIcon } from '../../components/logo.tsx'
import { font, iconButtonClass, place, row, stack } from '../../components/ui/classes.ts'
import { PlacedDialog } from '../../components/ui/dialog.tsx'
import { VisuallyHidden } from '../../components/ui/visually-hidden.tsx'
import { initialsOf } from '../../lib/initials.ts'
import { useCommonText } from '../../lib/page-text.ts'
import { Appearance } from '../../shell/dashboard/navigation.tsx'
import { signOut, useConsoleMay, useMe, useToday } from './api.ts'
import styles from './console.module.css'
import { addressOf, type Entry, menu } from './entries.ts'
import { IconLogout, IconMenu2 } from './icons.ts'
import { dropReturnTo } from './session.ts'
import { roleText, useConsoleText } from './text.ts'

function Brand() {
  const t = useConsoleText()
  return (
    <Link
      to="/console"
      className={`${styles.brand} ${row('centre', 'gap8')} ${font('lg', 'bold', 'tight')}`}
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

const isActive = (entry: Entry, pathname: string): boolean => {
  const here = pathname.replace(/\/+$/, '')
  const address = addressOf(entry)
  return here === address || (entry.path !== '' && here.startsWith(`${address}/`))
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
                isActive={isActive(entry, pathname)}
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

function EntryLink({ entry, isActive: isHere, waiting }: EntryLinkProps) {
  const t = useConsoleText()
  const { title, icon: Icon } = entry
  return (
    <Link
      to={addressOf(entry)}
      className={`${styles.entry} ${isHere ? font('md', 'semibold') : font('md', 'medium')} ${row('centre', 'gap12')}`}
      {...(isHere ? { 'aria-current': 'page' as const } : {})}
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

/** The operator with the way out. Whoever signs out leaves nothing in this tab: the document is loaded again. */
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
  const { key: here } = useLocation()
  const t = useConsoleText()
  const common = useCommonText()
  const { data: me } = useMe()
  // The menu belongs to the history entry at which it was opened, so that every navigation closes it.
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const opened = openedAt === here
  return (
    <header className={`${styles.topBar} ${row('centre', 'gap8')}`} data-color-scheme="dark">
      <Brand />
      <span className={`${styles.initials} ${font('xs', 'semibold')}`} aria-hidden>
        {me && initialsOf(me.name)}
      </span>
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
        title={t('consoleMenu')}
        closeLabel={common('closeMenu')}
        place="side"
      >
        <MenuAndFoot />
      </PlacedDialog>
    </header>
  )
}
