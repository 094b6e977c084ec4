import { Outlet } from 'react-router'
import { useAccount } from '../../api/account.ts'
import { useMay } from '../../api/may.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { TabLinks } from '../../components/ui/tab-links.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { paths } from '../../lib/paths.ts'
import { firstPageOf } from '../../shell/dashboard/entries.ts'

/** The title of the settings and their pages as tabs. A role with one page sees no tabs. */
export default function SettingsTabs() {
  const t = useDashboardText()
  const { data: account } = useAccount()
  const maySeeTeam = useMay('team.read')
  const maySeeActivity = useMay('audit.read')
  const isAtTill = account !== undefined && firstPageOf(account) === paths.till
  const tabs = [
    ...(isAtTill ? [] : [{ to: paths.settings, label: t('yourAccount') }]),
    ...(maySeeTeam ? [{ to: paths.team, label: t('teamPage') }] : []),
    { to: paths.security, label: t('securityPage') },
    ...(maySeeActivity ? [{ to: paths.activity, label: t('activityPage') }] : []),
  ]
  return (
    <>
      <PageHeader title={t('settingsPage')} />
      {tabs.length > 1 && <TabLinks label={t('settingsPage')} tabs={tabs} />}
      <Outlet />
    </>
  )
}
