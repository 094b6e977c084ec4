import { Link, NavLink } from 'react-router'
import { IconMenu2, IconX } from '../components/icons.ts'
import { Logo } from '../components/logo.tsx'
import { font, row, surface } from '../components/ui/classes.ts'
import { useCommonText } from '../lib/page-text.ts'
import { paths } from '../lib/paths.ts'
import { useSession } from '../session/session.ts'
import styles from './public-header.module.css'
import { SignOut } from './sign-out.tsx'

const MENU = 'site-menu'
const entries = [
  { label: 'home', to: paths.home },
  { label: 'documentation', to: paths.documentation },
  { label: 'pricing', to: paths.pricing },
] as const

/** The header of the public pages: transparent over a hero, and dark after the page has scrolled. The page's own script opens its menu. */
export function PublicHeader({ solid = false }: { readonly solid?: boolean }) {
  const t = useCommonText()
  const signedIn = useSession().status === 'authenticated'
  return (
    <SignOut>
      {(openDialog) => (
        <header className={`${styles.bar} ${surface('screenOnly')}`} data-dark={solid || undefined}>
          <div className={`${styles.inner} ${row('centre', 'gap8')}`}>
            <Link to={paths.home} className={styles.brand} aria-label={t('brandHome')}>
              <Logo />
            </Link>
            <div id={MENU} className={styles.menu}>
              <nav aria-label={t('mainNavigation')} className={styles.nav}>
                {entries.map(({ label, to }) => (
                  <NavLink
                    key={to}
                    to={to}
                    end
                    className={`${styles.entry} ${font('md', 'medium', 'nowrap')}`}
                  >
                    {t(label)}
                  </NavLink>
                ))}
              </nav>
              {signedIn ? (
                <button
                  type="button"
                  className={`${styles.entry} ${font('md', 'medium', 'nowrap')}`}
                  onClick={openDialog}
                >
                  {t('signOut')}
                </button>
              ) : (
                <Link to={paths.signIn} className={`${styles.entry} ${font('md', 'medium', 'nowrap')}`}>
                  {t('signIn')}
                </Link>
              )}
            </div>
            <Link
              to={signedIn ? paths.dashboard : paths.signUp}
              className={`${styles.cta} ${font('md', 'semibold', 'nowrap')}`}
            >
              {t(signedIn ? 'dashboard' : 'getStarted')}
            </Link>
            <button
              type="button"
              className={styles.burger}
              aria-label={t('openMenu')}
              data-label={t('closeMenu')}
              aria-expanded={false}
              aria-controls={MENU}
              data-burger
            >
              <IconMenu2 size={24} stroke={1.75} aria-hidden />
              <IconX size={24} stroke={1.75} aria-hidden />
            </button>
          </div>
        </header>
      )}
    </SignOut>
  )
}
