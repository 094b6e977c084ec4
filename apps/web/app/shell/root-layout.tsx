import { useEffect } from 'react'
import { Outlet, PrefetchPageLinks, useNavigate } from 'react-router'
import { IconArrowUp } from '../components/icons.ts'
import { toast } from '../components/toast.ts'
import { useScrolled } from '../lib/dom-hooks.ts'
import { paths } from '../lib/paths.ts'
import { pathAfterSignOut, session, startSessionEngine, useSession } from '../session/session.ts'
import type { SignOutReason } from '../session/store.ts'
import { Chat } from './chat/chat.tsx'
import styles from './floats.module.css'
import { Toaster } from './toaster.tsx'

/** The frame of every page but the checkout: chat, the way back to the top, toasts, and the toasts of the session. */
export default function RootLayout() {
  useSessionToasts()
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
      <Toaster />
    </>
  )
}

const EXPIRY_TOAST_MS = 10_000

const signOutTexts: Readonly<Record<SignOutReason, string>> = {
  'signed-out': 'Successfully signed out',
  inactive: 'You have been Signed out due to inactivity',
  everywhere: 'You are signed out everywhere',
}

/** The warning before a session expires, the sentence at its end, and the way home. */
function useSessionToasts(): void {
  const navigate = useNavigate()
  useEffect(
    () =>
      session.onSignedOut((reason, here) => {
        if (reason === 'inactive') toast.error(signOutTexts[reason])
        else toast.success(signOutTexts[reason])
        // In another tab a public page may stay; the guard takes care of the rest.
        if (here) void navigate(pathAfterSignOut(session.get()))
      }),
    [navigate],
  )
  useEffect(
    () =>
      startSessionEngine(() =>
        toast.blank('Your session will expire soon. Please save your work.', EXPIRY_TOAST_MS),
      ),
    [],
  )
}

const SHOWN_AFTER_PX = 400

/** A button that scrolls to the top, once the page has scrolled. */
function ToTop() {
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
