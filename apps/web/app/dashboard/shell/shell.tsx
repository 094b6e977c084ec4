import '../../ui/kit.css'
import '../../ui/dark.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { Navigate, Outlet, useMatches } from 'react-router'
import type { PageHandle } from '../../lib/handle.ts'
import { useSession } from '../../lib/session/session.ts'
import { wayOut } from '../../lib/session/way-out.ts'
import { SignOut } from '../../ui/sign-out.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { LiveProvider } from '../live/live.tsx'
import { LiveAnnouncement } from '../live/live-sign.tsx'
import { AccountBanner } from './account-banner.tsx'
import { createQueryClient } from './query-client.ts'
import styles from './shell.module.css'
import { ShellFooter } from './shell-footer.tsx'
import { Sidebar } from './sidebar.tsx'
import { TopBar } from './top-bar.tsx'

export const handle: PageHandle = { dark: true }
export const meta = () => [{ title: 'Dashboard · Muripo' }, { name: 'robots', content: 'noindex' }]

/** Signed-in only. The query cache lives and dies with the shell, so nothing of one merchant is left for the next. */
export default function Shell() {
  const session = useSession()
  const [queryClient] = useState(createQueryClient)
  const isSample = useMatches().some((match) => (match.handle as PageHandle | undefined)?.sample)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'unauthenticated') return <Navigate to={wayOut(session)} replace />
  return (
    <QueryClientProvider client={queryClient}>
      <LiveProvider merchantId={session.user?.id ?? null}>
        <div className={styles.shell}>
          <a href="#content" className={styles.skip}>
            Skip to content
          </a>
          <SignOut>
            {(ask, asked) => (
              <>
                <Sidebar onSignOut={ask} />
                <TopBar onSignOut={ask} signingOut={asked} />
              </>
            )}
          </SignOut>
          <main id="content" tabIndex={-1} className={styles.content}>
            {!isSample && <AccountBanner />}
            <Outlet />
          </main>
          <ShellFooter />
          <LiveAnnouncement />
        </div>
      </LiveProvider>
    </QueryClientProvider>
  )
}
