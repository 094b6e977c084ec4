import '../../shell/mantine.css'
import { Navigate, Outlet } from 'react-router'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../session/session.ts'
import { SiteBar } from '../../shell/public-header.tsx'
import styles from './auth.module.css'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The layout for guests; a signed-in user is redirected to the dashboard. */
export default function AuthLayout() {
  const { status } = useSession()
  if (status === 'loading') return <PageSpinner />
  if (status === 'authenticated') return <Navigate to={paths.dashboard} replace />
  return (
    <>
      <SiteBar solid />
      <main className={styles.page}>
        <Outlet />
      </main>
    </>
  )
}
