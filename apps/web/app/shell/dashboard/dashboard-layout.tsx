import translations from 'virtual:translations/dashboard'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import {
  Navigate,
  Outlet,
  type ShouldRevalidateFunction,
  useLocation,
  useMatches,
  useNavigate,
} from 'react-router'
import { useAccount, useAccountTimeZone } from '../../api/account.ts'
import { hasCode } from '../../api/api-error.ts'
import { isDialogOpen, sessionQueries } from '../../api/query-client.ts'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import { useErrorToast } from '../../components/error-toast.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { toastErrorOnce } from '../../components/toast.ts'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { preloadPagesOnIntent } from '../../lib/page-code.ts'
import { type PageHandle, usePageHandle } from '../../lib/page-meta.ts'
import { useChooseLanguage, usePageLanguage } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { TimeZoneContext } from '../../lib/use-formats.ts'
import { LiveProvider } from '../../live/live.tsx'
import { sending } from '../../session/client.ts'
import { arrive, keepReturnAddress } from '../../session/return-address.ts'
import { session, useEndedSessions, useSession } from '../../session/session.ts'
import { SignOut } from '../sign-out.tsx'
import type { Route } from './+types/dashboard-layout.ts'
import { AccountBanner, LateNote, OfflineBanner } from './banners.tsx'
import styles from './dashboard-layout.module.css'
import { byFetchOrEarly } from './early-calls.ts'
import { Guard } from './guard.tsx'
import { LiveAnnouncement } from './live-announcement.tsx'
import { DashboardFooter, Sidebar, TopBar } from './navigation.tsx'
import { firstCalls, startPageQueries } from './page-queries.ts'
import { useShortcutKeys } from './shortcut-keys.ts'
import { StepUp } from './step-up.tsx'
import { TestStrip, useIsTestGateway } from './test-mode.tsx'

export const handle: PageHandle = { dark: true, translations, isConstant: true, firstCalls }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** Starts the queries of a page when it is opened, while its code is still loading. They are read from the query client. */
export function clientLoader({ url, params }: Route.ClientLoaderArgs): null {
  sending.transport = byFetchOrEarly
  // A toast about a failure leaves with its page, which is not there yet.
  sessionQueries.holdErrors()
  if (session.get().status === 'authenticated') startPageQueries(sessionQueries.client(), url, params)
  return null
}

/** The loader runs for each visit of a page, and not for a change of its filters, its tab or its dialog. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) =>
  currentUrl.pathname !== nextUrl.pathname

/** Shown until the loaders have run, as while the session is loading. */
export const HydrateFallback = Loading

/** For signed-in users. The end of a session removes everything that was loaded, so that the next user sees nothing of the previous merchant. */
export default function DashboardLayout() {
  return <Dashboard key={useEndedSessions()} />
}

function Dashboard() {
  const current = useSession()
  const { pathname, key } = useLocation()
  const { isLoading } = usePageLanguage()
  const t = useDashboardText()
  const toastError = useErrorToast(toastErrorOnce)
  const navigate = useNavigate()
  const showError = useRef(toastError)
  useEffect(() => {
    showError.current = toastError
  }, [toastError])
  const [queryClient] = useState(sessionQueries.client)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the loader of each visit holds them
  useEffect(
    () =>
      sessionQueries.onLoadError((error) => {
        if (!hasCode(error, 'second_factor_required')) return showError.current(error)
        // Only the page of the factors, which explains it, can help.
        if (!isDialogOpen()) void navigate(paths.security, { replace: true })
      }),
    [key],
  )
  useEffect(() => {
    if (current.status === 'authenticated') arrive()
  }, [current.status])
  useEffect(preloadPagesOnIntent, [])
  const isSample = usePageHandle('sample')
  const isTestGateway = useIsTestGateway()
  const isWhole = usePageHandle('isWhole')
  useShortcutKeys(current.status === 'authenticated' && !isWhole)
  if (current.status === 'unauthenticated') return <TurnAway />
  if (current.status === 'loading' || isLoading) return <Loading />
  if (isWhole)
    return (
      <QueryClientProvider client={queryClient}>
        <Title />
        <AccountLanguage />
        <AccountTimeZone>
          <ErrorBoundary key={pathname}>
            <Outlet />
          </ErrorBoundary>
        </AccountTimeZone>
        <StepUp />
      </QueryClientProvider>
    )
  return (
    <QueryClientProvider client={queryClient}>
      <Title />
      <AccountLanguage />
      <LiveProvider merchantId={current.user?.id ?? null}>
        <AccountTimeZone>
          <div className={styles.shell} data-test={isTestGateway || undefined}>
            <a href="#content" className={styles.skip}>
              {t('skipToContent')}
            </a>
            {isTestGateway && <TestStrip />}
            <SignOut>
              {(openDialog) => (
                <>
                  <Sidebar onSignOut={openDialog} />
                  <TopBar onSignOut={openDialog} />
                </>
              )}
            </SignOut>
            <Content>
              <OfflineBanner />
              {!isSample && <AccountBanner />}
              <ErrorBoundary key={pathname}>
                <Guard>
                  <Outlet />
                </Guard>
              </ErrorBoundary>
            </Content>
            <DashboardFooter />
            <LateNote />
            <LiveAnnouncement />
            <StepUp />
          </div>
        </AccountTimeZone>
      </LiveProvider>
    </QueryClientProvider>
  )
}

function Loading() {
  return (
    <>
      <Title />
      <PageSpinner />
    </>
  )
}

function usePageTitle(): string | undefined {
  const t = useDashboardText()
  const page = useMatches().at(-1)?.handle as DashboardHandle | undefined
  return page && t(page.title)
}

function Title() {
  const title = usePageTitle()
  return title && <title>{`${title} · Muripo`}</title>
}

/** The content of the page. It receives the focus after a navigation, so that a screen reader reads the page's name. */
function Content({ children }: { readonly children: ReactNode }) {
  const { pathname } = useLocation()
  const main = useRef<HTMLElement>(null)
  const opened = useRef(pathname)
  useEffect(() => {
    if (opened.current === pathname) return
    opened.current = pathname
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true })
  }, [pathname])
  return (
    <main id="content" ref={main} tabIndex={-1} aria-label={usePageTitle()} className={styles.content}>
      {children}
    </main>
  )
}

/** The language that the merchant chose in the settings, on any device. */
function AccountLanguage() {
  const { data: account } = useAccount()
  const choose = useChooseLanguage()
  const locale = account?.locale
  useEffect(() => {
    if (locale) void choose(locale)
  }, [locale, choose])
  return null
}

const AccountTimeZone = ({ children }: { readonly children: ReactNode }) => (
  <TimeZoneContext value={useAccountTimeZone()}>{children}</TimeZoneContext>
)

/** Redirects a guest, and keeps the address for the return after the sign-in. */
function TurnAway() {
  const { pathname, search } = useLocation()
  const [address] = useState(pathname + search)
  useEffect(() => keepReturnAddress(address), [address])
  return <Navigate to={paths.home} replace />
}
