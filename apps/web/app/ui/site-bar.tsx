import { useEffect, useState } from 'react'
import { Link, NavLink } from 'react-router'
import { paths } from '../lib/paths.ts'
import { useSession } from '../lib/session/session.ts'
import { Wordmark } from './mark.tsx'
import { SignOut } from './sign-out.tsx'
import styles from './site-bar.module.css'

const SCROLL_THRESHOLD_PX = 50

function useScrolled(): boolean {
  const [scrolled, setScrolled] = useState(false)
  useEffect(() => {
    const look = () => setScrolled(window.scrollY > SCROLL_THRESHOLD_PX)
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  return scrolled
}

/** The bar of the public pages: transparent over a hero, dark once the page has scrolled. */
export function SiteBar({ solid = false }: { readonly solid?: boolean }) {
  const scrolled = useScrolled()
  const signedIn = useSession().status === 'authenticated'
  return (
    <header className={styles.bar} data-dark={solid || scrolled || undefined}>
      <div className={styles.inner}>
        <Link to={paths.home} className={styles.brand} aria-label="Muripo home">
          <Wordmark />
        </Link>
        <nav aria-label="Main" className={styles.nav}>
          <NavLink to={paths.home} end className={styles.entry ?? ''} data-wide>
            Home
          </NavLink>
        </nav>
        <div className={styles.actions}>{signedIn ? <SignedIn /> : <Guest />}</div>
      </div>
    </header>
  )
}

const Guest = () => (
  <>
    <Link to={paths.signIn} className={styles.entry}>
      Sign In
    </Link>
    <Link to={paths.signUp} className={styles.cta}>
      Get Started
    </Link>
  </>
)

const SignedIn = () => (
  <>
    <SignOut>
      {(ask) => (
        <button type="button" className={styles.entry} onClick={ask}>
          Sign Out
        </button>
      )}
    </SignOut>
    <Link to={paths.dashboard} className={styles.cta}>
      Dashboard
    </Link>
  </>
)
