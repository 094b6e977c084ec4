import translations from 'virtual:translations/auth'
import { Navigate, Outlet, PrefetchPageLinks, useMatches } from 'react-router'
import { LanguageLinks } from '../../components/language-links.tsx'
import { PageSpinner } from '../../components/page-spinner.tsx'
import type { PageHandle } from '../../lib/page-meta.ts'
import { usePageLanguage } from '../../lib/page-text.ts'
import { returnAddress } from '../../session/return-address.ts'
import { useSession } from '../../session/session.ts'
import { PublicHeader } from '../../shell/public-header.tsx'
import styles from './auth.module.css'
import { type AuthHandle, useAuthText } from './text.ts'

export const handle: PageHandle = { translations, isConstant: true }

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The layout for guests. A signed-in user is redirected to the return address in the dashboard, except from a page for all. */
export default function AuthLayout() {
  const { status } = useSession()
  const { isLoading } = usePageLanguage()
  const isForAll = (useMatches().at(-1)?.handle as AuthHandle | undefined)?.isForAll
  if (status === 'authenticated' && !isForAll) return <Navigate to={returnAddress()} replace />
  return (
    <>
      <Head />
      {status === 'loading' || isLoading ? (
        <PageSpinner />
      ) : (
        <>
          <PublicHeader solid />
          <main id="content" tabIndex={-1} className={styles.page}>
            <Outlet />
            <LanguageLinks />
          </main>
        </>
      )}
    </>
  )
}

function Head() {
  const t = useAuthText()
  const page = useMatches().at(-1)?.handle as AuthHandle | undefined
  return (
    page && (
      <>
        <title>{`${t(page.title)} · Muripo`}</title>
        {page.next && <PrefetchPageLinks page={page.next} />}
      </>
    )
  )
}
