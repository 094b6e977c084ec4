import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet, PrefetchPageLinks, useMatches, useNavigate } from 'react-router'
import { IconArrowUp } from '../components/icons.ts'
import { useScrolled } from '../lib/dom-hooks.ts'
import type { PageHandle } from '../lib/page-meta.ts'
import { paths } from '../lib/paths.ts'
import { session, startSessionEngine, useSession, wayOut } from '../session/session.ts'
import type { SignOutReason } from '../session/store.ts'
import { Chat } from './chat/chat.tsx'
import styles from './floats.module.css'

const Toaster = lazy(() => import('./toaster.tsx'))

/** Everything that a person with a browser sees but the checkout: what floats over the pages, and what the session's life says. */
export default function RootLayout() {
  useSessionLife()
  const signedIn = useSession().status === 'authenticated'
  return (
    <>
      <Outlet />
      {/* A session may end because the network is gone; the way home must be here by then. */}
      {signedIn && <PrefetchPageLinks page={paths.home} />}
      <div className={styles.floats}>
        <ToTop />
        <Chat />
      </div>
      {useToaster() && (
        <Suspense>
          <Toaster />
        </Suspense>
      )}
    </>
  )
}

/** Pages of the kit may say something at any time; on the others only a session's end does. Once there, it stays. */
function useToaster(): boolean {
  const onKitPage = useMatches().some((match) => (match.handle as PageHandle | undefined)?.kit)
  const signedIn = useSession().status === 'authenticated'
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    if (onKitPage || signedIn) setWanted(true)
  }, [onKitPage, signedIn])
  return wanted
}

const EXPIRY_TOAST_MS = 10_000

const said: Readonly<Record<SignOutReason, string>> = {
  'signed-out': 'Successfully signed out',
  inactive: 'You have been Signed out due to inactivity',
  everywhere: 'You are signed out everywhere',
}

/** What a person sees of the session's life: the warning, the sentence at its end, and the way home. */
export function useSessionLife(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      session.onSignedOut((reason, here) => {
        lateToast((toast) =>
          reason === 'inactive' ? toast.error(said[reason]) : toast.success(said[reason]),
        )
        // In another tab a public page may stay; the guard takes care of the rest.
        if (here) void navigate(wayOut(session.get()))
      }),
    [navigate],
  )
  useEffect(
    () =>
      startSessionEngine(() =>
        lateToast((toast) =>
          toast.blank('Your session will expire soon. Please save your work.', EXPIRY_TOAST_MS),
        ),
      ),
    [],
  )
}

type Toast = typeof import('../components/toast.ts')['toast']

/** For code that every page carries: the toasts come over the wire when there is something to say. */
export function lateToast(say: (toast: Toast) => void): void {
  void import('./toaster.tsx').then(({ toast }) => say(toast))
}

const SHOWN_AFTER_PX = 400

/** The way back up, once there is one. */
export function ToTop() {
  const scrolled = useScrolled(SHOWN_AFTER_PX)
  if (!scrolled) return null
  const toTop = () => {
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
    window.scrollTo({ top: 0, behavior: still ? 'instant' : 'smooth' })
  }
  return (
    <button
      type="button"
      className={`${styles.round} ${styles.toTop}`}
      aria-label="Scroll to top"
      onClick={toTop}
    >
      <IconArrowUp size={20} stroke={1.75} aria-hidden />
    </button>
  )
}
