import '../mantine.css'
import '../dark.css'
import translations from 'virtual:translations/dashboard'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Navigate, Outlet, useLocation, useMatches } from 'react-router'
import { useAccount, useAccountTimeZone } from '../../api/account.ts'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import { useErrorToast } from '../../components/error-toast.ts'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { toastErrorOnce } from '../../components/toast.ts'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { type PageHandle, usePageHandle } from '../../lib/page-meta.ts'
import { useChooseLanguage, usePageLanguage } from '../../lib/page-text.ts'
import { TimeZoneContext } from '../../lib/use-formats.ts'
import { LiveAnnouncement, LiveProvider } from '../../live/live.tsx'
import { arrive, keepReturnAddress } from '../../session/return-address.ts'
import { pathAfterSignOut, useSession } from '../../session/session.ts'
import { SignOut } from '../sign-out.tsx'
import { AccountBanner, LateNote, OfflineBanner } from './banners.tsx'
import styles from './dashboard-layout.module.css'
import { DashboardFooter, Sidebar, TopBar } from './navigation.tsx'
import { createQueryClient } from './query-client.ts'

export const handle: PageHandle = { dark: true, translations }
export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** For signed-in users. The query cache is removed with the layout, so that the next user sees nothing of the previous merchant. */
export default function DashboardLayout() {
  const session = useSession()
  const { pathname } = useLocation()
  const { isLoading } = usePageLanguage()
  const t = useDashboardText()
  const toastError = useErrorToast(toastErrorOnce)
  const showError = useRef(toastError)
  useEffect(() => {
    showError.current = toastError
  }, [toastError])
  const [queryClient] = useState(() => createQueryClient((error) => showError.current(error)))
  useEffect(() => {
    if (session.status === 'authenticated') arrive()
  }, [session.status])
  const isSample = usePageHandle('sample')
  if (session.status === 'unauthenticated') return <TurnAway to={pathAfterSignOut(session)} />
  if (session.status === 'loading' || isLoading)
    return (
      <>
        <Title />
        <PageSpinner />
      </>
    )
  return (
    <QueryClientProvider client={queryClient}>
      <Title />
      <AccountLanguage />
      <LiveProvider merchantId={session.user?.id ?? null}>
        <AccountTimeZone>
          <div className={styles.shell}>
            <a href="#content" className={styles.skip}>
              {t('skipToContent')}
            </a>
            <SignOut>
              {(openDialog, isOpen) => (
                <>
                  <Sidebar onSignOut={openDialog} />
                  <TopBar onSignOut={openDialog} signingOut={isOpen} />
                </>
              )}
            </SignOut>
            <Content>
              <OfflineBanner />
              {!isSample && <AccountBanner />}
              <ErrorBoundary key={pathname}>
                <Outlet />
              </ErrorBoundary>
            </Content>
            <DashboardFooter />
            <LateNote />
            <LiveAnnouncement />
          </div>
        </AccountTimeZone>
      </LiveProvider>
    </QueryClientProvider>
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
function TurnAway({ to }: { readonly to: string }) {
  const { pathname, search } = useLocation()
  const [address] = useState(pathname + search)
  useEffect(() => keepReturnAddress(address), [address])
  return <Navigate to={to} replace />
}
