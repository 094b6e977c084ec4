import '../mantine.css'
import '../dark.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, Outlet, useLocation, useMatches } from 'react-router'
import { ErrorBoundary } from '../../components/error-boundary.tsx'
import { PageSpinner } from '../../components/page-spinner.tsx'
import type { PageHandle } from '../../lib/page-meta.ts'
import { LiveAnnouncement, LiveProvider } from '../../live/live.tsx'
import { arrive, keepReturnAddress } from '../../session/return-address.ts'
import { pathAfterSignOut, useSession } from '../../session/session.ts'
import { SignOut } from '../sign-out.tsx'
import { AccountBanner, OfflineBanner } from './banners.tsx'
import styles from './dashboard-layout.module.css'
import { ShellFooter, Sidebar, TopBar } from './navigation.tsx'
import { createQueryClient } from './query-client.ts'

export const handle: PageHandle = { dark: true }
export const meta = () => [{ title: 'Dashboard · Muripo' }, { name: 'robots', content: 'noindex' }]

/** Signed-in only. The query cache lives and dies with the shell, so nothing of one merchant is left for the next. */
export default function Shell() {
  const session = useSession()
  const { pathname } = useLocation()
  const [queryClient] = useState(createQueryClient)
  useEffect(() => {
    if (session.status === 'authenticated') arrive()
  }, [session.status])
  const isSample = useMatches().some((match) => (match.handle as PageHandle | undefined)?.sample)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'unauthenticated') return <TurnAway to={pathAfterSignOut(session)} />
  return (
    <QueryClientProvider client={queryClient}>
      <LiveProvider merchantId={session.user?.id ?? null}>
        <div className={styles.shell}>
          <a href="#content" className={styles.skip}>
            Skip to content
          </a>
          <SignOut>
            {(openDialog, isOpen) => (
              <>
                <Sidebar onSignOut={openDialog} />
                <TopBar onSignOut={openDialog} signingOut={isOpen} />
              </>
            )}
          </SignOut>
          <main id="content" tabIndex={-1} className={styles.content}>
            <OfflineBanner />
            {!isSample && <AccountBanner />}
            <ErrorBoundary key={pathname}>
              <Outlet />
            </ErrorBoundary>
          </main>
          <ShellFooter />
          <LiveAnnouncement />
        </div>
      </LiveProvider>
    </QueryClientProvider>
  )
}

/** The sign-in leads back to the page that a guest asked for. */
function TurnAway({ to }: { readonly to: string }) {
  const { pathname, search } = useLocation()
  const [address] = useState(pathname + search)
  useEffect(() => keepReturnAddress(address), [address])
  return <Navigate to={to} replace />
}
