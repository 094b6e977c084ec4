import { Outlet } from 'react-router'
import { useMay } from '../../api/may.ts'
import { PageHeader } from '../../components/ui/page-header.tsx'
import { TabLinks } from '../../components/ui/tab-links.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { paths } from '../../lib/paths.ts'

/** The title of the settings and their pages as tabs. A role with one page sees no tabs. */
export default function SettingsTabs() {
  const t = useDashboardText()
  const maySeeTeam = useMay('team.read')
  return (
    <>
      <PageHeader title={t('settingsPage')} />
      {maySeeTeam && (
        <TabLinks
          label={t('settingsPage')}
          tabs={[
            { to: paths.settings, label: t('yourAccount') },
            { to: paths.team, label: t('teamPage') },
          ]}
        />
      )}
      <Outlet />
    </>
  )
}
