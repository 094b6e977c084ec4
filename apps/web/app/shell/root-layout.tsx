import type { common } from '@muripo/locales/common'
import { useEffect, useEffectEvent, useState } from 'react'
import { Outlet, PrefetchPageLinks, useLocation, useNavigate } from 'react-router'
import { IconArrowUp } from '../components/icons.ts'
import { SilentBoundary } from '../components/silent-boundary.tsx'
import { toast, toastStore } from '../components/toast.ts'
import { keepFocus } from '../lib/keep-focus.ts'
import { checkBuild, isOutdated } from '../lib/lazy.ts'
import { useOnDemand, usePageHandle } from '../lib/page-meta.ts'
import { useCommonText } from '../lib/page-text.ts'
import { paths } from '../lib/paths.ts'
import { anyOf, eventOf } from '../lib/signals.ts'
import { session, startSessionEngine, useEndedSessions, useSession } from '../session/session.ts'
import type { SignOutReason } from '../session/store.ts'
import { Chat } from './chat/chat.tsx'
import styles from './floats.module.css'
import { Toaster } from './toaster.tsx'

/** The frame of every page except the checkout: toasts, the session, and where there is room chat and the button to the top. */
export default function RootLayout() {
  useSessionToasts()
  useNavigationGuard()
  useHydratedEvent()
  const signedIn = useSession().status === 'authenticated'
  useEffect(keepFocus, [])
  const { pathname } = useLocation()
  useEffect(() => toastStore.leave(pathname), [pathname])
  const ended = useEndedSessions()
  const isReady = useOnDemand()
  const isWhole = usePageHandle('isWhole')
  return (
    <>
      <Outlet />
      {/* A session may end without a network: the home page must be loaded before. */}
      {signedIn && <PrefetchPageLinks page={paths.home} />}
      {!isWhole && (
        <div className={styles.floats} data-docked={/^\/(app|auth)\b/.test(pathname) || undefined}>
          <ToTop />
          <SilentBoundary>
            <Chat key={ended} isReady={isReady} />
          </SilentBoundary>
        </div>
      )}
      <SilentBoundary>
        <Toaster />
      </SilentBoundary>
    </>
  )
}

/** The page's own script waits for this event where it has loaded the framework. The forms have adopted typed text before. */
function useHydratedEvent(): void {
  const [isHydrated, setHydrated] = useState(false)
  useEffect(() => setHydrated(true), [])
  useEffect(() => void (isHydrated && window.dispatchEvent(new Event('hydrated'))), [isHydrated])
}

const EXPIRY_TOAST_MS = 10_000
const SWITCH_TOAST_MS = 8000

const signOutTexts = {
  'signed-out': 'signedOut',
  inactive: 'signedOutInactive',
} as const satisfies Readonly<Record<SignOutReason, keyof typeof common>>

/** Shows a toast before a session expires and when it ends, and navigates after its end. */
function useSessionToasts(): void {
  const navigate = useNavigate()
  const t = useCommonText()
  useEffect(
    () =>
      session.onSignedOut((reason, here) => {
        if (reason === 'inactive') toast.sessionError(t(signOutTexts[reason]))
        else toast.success(t(signOutTexts[reason]))
        // Another tab stays on a public page; the layout of the dashboard redirects it.
        // An invitation waits for the right account.
        if (here && window.location.pathname !== paths.invitation) void navigate(paths.home)
      }),
    [navigate, t],
  )
  useEffect(() => session.onReplaced(() => toast.blank(t('shopSwitched'), SWITCH_TOAST_MS)), [t])
  const warnOfExpiry = useEffectEvent(() => toast.blank(t('sessionExpires'), EXPIRY_TOAST_MS))
  useEffect(() => startSessionEngine(() => warnOfExpiry()), [])
}

/** The page of a path. The paths of all applications have one page. */
const pageOf = (pathname: string): string => pathname.replace(/\/[a-z]+_[0-9a-z]{26}\b/, '/:id')

/**
 * A page of a newer build is loaded as a document, because the files of this build no longer exist. Offline, a page of the dashboard that was not opened yet
 * stays closed: the router would reload the document, and the browser would show its own error page.
 */
function useNavigationGuard(): void {
  const { pathname } = useLocation()
  const t = useCommonText()
  const [opened] = useState(() => new Set<string>())
  useEffect(() => void opened.add(pageOf(pathname)), [opened, pathname])
  useEffect(() => {
    const check = () => {
      if (document.visibilityState === 'visible') void checkBuild()
    }
    return anyOf(eventOf(window, 'online'), eventOf(document, 'visibilitychange'))(check)
  }, [])
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const next = ownPage(event)
      if (next === null || next === window.location.pathname) return
      const stays = !navigator.onLine && next.startsWith(paths.dashboard) && !opened.has(pageOf(next))
      // The router does not see the click: the browser follows the link itself.
      if (isOutdated() || stays) event.stopPropagation()
      if (!stays) return
      event.preventDefault()
      toast.sessionError(t('offline'))
    }
    window.addEventListener('click', onClick, { capture: true })
    return () => window.removeEventListener('click', onClick, { capture: true })
  }, [opened, t])
}

/** The path that a plain click on a link to this app opens in this tab; null for other clicks. */
function ownPage(event: MouseEvent): string | null {
  const link = event.target instanceof Element && event.target.closest('a')
  if (!link || link.origin !== window.location.origin || link.target || link.hasAttribute('download'))
    return null
  const opensElsewhere =
    event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  return opensElsewhere ? null : link.pathname
}

/** A button that scrolls to the top, once the page has scrolled. The page's own script does both. */
function ToTop() {
  const t = useCommonText()
  return (
    <button
      type="button"
      className={`${styles.round} ${styles.toTop}`}
      aria-label={t('scrollToTop')}
      data-to-top
    >
      <IconArrowUp size={20} stroke={1.75} aria-hidden />
    </button>
  )
}
