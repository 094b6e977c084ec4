import '../../shell/mantine.css'
import { Navigate, Outlet } from 'react-router'
import { PageSpinner } from '../../components/page-spinner.tsx'
import { returnAddress } from '../../session/return-address.ts'
import { useSession } from '../../session/session.ts'
import { SiteBar } from '../../shell/public-header.tsx'
import styles from './auth.module.css'

export const meta = () => [{ name: 'robots', content: 'noindex' }]

/** The layout for guests; a signed-in user is redirected to the dashboard, to the page that was wanted. */
export default function AuthLayout() {
  const { status } = useSession()
  if (status === 'loading') return <PageSpinner />
  if (status === 'authenticated') return <Navigate to={returnAddress()} replace />
  return (
    <>
      <SiteBar solid />
      <main className={styles.page}>
        <Outlet />
      </main>
    </>
  )
}
