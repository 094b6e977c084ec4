import { useRef, useState } from 'react'
import { Link, NavLink } from 'react-router'
import { IconMenu2, IconX } from '../components/icons.ts'
import { Logo } from '../components/logo.tsx'
import { useCommonText } from '../lib/common-text.ts'
import { useDismiss, useScrolled } from '../lib/dom-hooks.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../session/session.ts'
import styles from './public-header.module.css'
import { SignOut } from './sign-out.tsx'

const SCROLL_THRESHOLD_PX = 50
const MENU = 'site-menu'
const entries = [
  { label: 'home', to: paths.home },
  { label: 'documentation', to: paths.documentation },
  { label: 'pricing', to: paths.pricing },
] as const

/** The bar of the public pages: transparent over a hero, dark once the page has scrolled. */
export function SiteBar({ solid = false }: { readonly solid?: boolean }) {
  const t = useCommonText()
  const scrolled = useScrolled(SCROLL_THRESHOLD_PX)
  const signedIn = useSession().status === 'authenticated'
  const [open, setOpen] = useState(false)
  const bar = useRef<HTMLElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const close = () => setOpen(false)
  useDismiss(open, bar, (how) => {
    close()
    if (how === 'escape') button.current?.focus()
  })
  return (
    <SignOut>
      {(openDialog) => (
        <header ref={bar} className={styles.bar} data-dark={solid || scrolled || open || undefined}>
          <div className={styles.inner}>
            <Link to={paths.home} className={styles.brand} aria-label={t('brandHome')} onClick={close}>
              <Logo />
            </Link>
            <div id={MENU} className={styles.menu} data-open={open || undefined}>
              <nav aria-label={t('mainNavigation')} className={styles.nav}>
                {entries.map(({ label, to }) => (
                  <NavLink key={to} to={to} end className={styles.entry ?? ''} onClick={close}>
                    {t(label)}
                  </NavLink>
                ))}
              </nav>
              {signedIn ? (
                <button
                  type="button"
                  className={styles.entry}
                  onClick={() => {
                    close()
                    openDialog()
                  }}
                >
                  {t('signOut')}
                </button>
              ) : (
                <Link to={paths.signIn} className={styles.entry} onClick={close}>
                  {t('signIn')}
                </Link>
              )}
            </div>
            <Link to={signedIn ? paths.dashboard : paths.signUp} className={styles.cta} onClick={close}>
              {t(signedIn ? 'dashboard' : 'getStarted')}
            </Link>
            <button
              ref={button}
              type="button"
              className={styles.burger}
              aria-label={t(open ? 'closeMenu' : 'openMenu')}
              aria-expanded={open}
              aria-controls={MENU}
              onClick={() => setOpen(!open)}
            >
              {open ? (
                <IconX size={24} stroke={1.75} aria-hidden />
              ) : (
                <IconMenu2 size={24} stroke={1.75} aria-hidden />
              )}
            </button>
          </div>
        </header>
      )}
    </SignOut>
  )
}
