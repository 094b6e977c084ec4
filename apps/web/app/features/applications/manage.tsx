import type { Application } from '@muripo/contract/applications'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useApplication } from '../../api/applications.ts'
import { useMay } from '../../api/may.ts'
import { useErrorToast } from '../../components/error-toast.ts'
import { IconApps, IconArrowLeft } from '../../components/icons.ts'
import { dashboardToast } from '../../components/toast.ts'
import { Button } from '../../components/ui/button.tsx'
import { font, panelClass, place, row, textLinkClass } from '../../components/ui/classes.ts'
import { EmptyState, LoadError } from '../../components/ui/empty-state.tsx'
import { Fact, Facts } from '../../components/ui/facts.tsx'
import { Note } from '../../components/ui/note.tsx'
import { Skeleton } from '../../components/ui/skeleton.tsx'
import { StatusBadge } from '../../components/ui/status-badge.tsx'
import { Tabs } from '../../components/ui/tabs.tsx'
import { VisuallyHidden } from '../../components/ui/visually-hidden.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import { useTab } from '../../lib/use-tab.ts'
import type { Route } from './+types/manage.ts'
import { BankingTab } from './banking-tab.tsx'
import { BrandPart } from './brand.tsx'
import { KeyTab } from './key-tab.tsx'
import styles from './manage.module.css'
import { applicationStatus, StatusDialog } from './status-dialog.tsx'
import { useApplicationsText, useCategoryName } from './text.ts'

export const handle: DashboardHandle = { title: 'applicationManagementPage', needs: 'applications.read' }

function BackLink() {
  const t = useApplicationsText()
  return (
    <Link to={paths.applications} className={`${textLinkClass} ${font('quiet')}`}>
      <IconArrowLeft size={18} stroke={1.75} aria-hidden />
      {t('backToApplications')}
    </Link>
  )
}

export default function Manage({ params }: Route.ComponentProps) {
  const t = useApplicationsText()
  const { data: application, error, isPending } = useApplication(params.applicationId)
  const navigate = useNavigate()
  const toastError = useErrorToast(dashboardToast.sessionError)
  const leave = useEffectEvent((reason: Error) => {
    toastError(reason)
    void navigate(paths.applications, { replace: true })
  })
  useEffect(() => {
    if (error) leave(error)
  }, [error])

  if (isPending) return <ManageSkeleton />
  if (!application)
    return <EmptyState icon={IconApps} title={t('applicationNotFound')} action={<BackLink />} />
  return (
    <>
      <BackLink />
      <ApplicationHeader application={application} />
      <ApplicationTabs application={application} />
    </>
  )
}

interface ApplicationProps {
  readonly application: Application
}

/** The name and status of the application, and the button that changes the status. */
function ApplicationHeader({ application }: ApplicationProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const mayChange = useMay('applications.write')
  const [isConfirming, setConfirming] = useState(false)
  const { tone, word } = applicationStatus(application, t)
  const { applicationName, status, stopReason } = application
  return (
    <>
      <div className={`${styles.head} ${row('wrap', 'start', 'between', 'gap16', 'rows12')}`}>
        <div className={`${styles.name} ${row('wrap', 'centre', 'rows4')}`}>
          <h1 className={font('xl', 'bold', 'tight', 'snug', 'anywhere')}>{applicationName}</h1>
          <StatusBadge tone={tone}>{word}</StatusBadge>
          <p className={font('quiet', 'wholeLine')}>{dashboard('applicationManagementPage')}</p>
        </div>
        {stopReason === null && mayChange && (
          <Button kind="default" onClick={() => setConfirming(true)}>
            {t(status === 'active' ? 'deactivate' : 'activate')}
          </Button>
        )}
      </div>
      {stopReason !== null && (
        <div className={place('below24')}>
          <Note>{t('applicationStopped', { reason: stopReason })}</Note>
        </div>
      )}
      <StatusDialog application={isConfirming ? application : null} onClose={() => setConfirming(false)} />
    </>
  )
}

const tabs = ['basic', 'banking', 'key', 'webhooks'] as const
const tabTexts = {
  basic: 'basicTab',
  banking: 'bankingTab',
  key: 'applicationKey',
  webhooks: 'webhooksTab',
} as const

function ApplicationTabs({ application }: ApplicationProps) {
  const t = useApplicationsText()
  const hidden = [!useMay('keys.write') && 'key', !useMay('webhooks.read') && 'webhooks']
  const [named, openTab] = useTab('tab', tabs)
  const tab = hidden.includes(named) ? 'basic' : named
  return (
    <Tabs
      label={t('application')}
      tabs={tabs.filter((name) => !hidden.includes(name)).map((name) => ({ name, label: t(tabTexts[name]) }))}
      current={tab}
      onOpen={openTab}
      isPadded
    >
      {tab === 'basic' && (
        <>
          <BasicTab application={application} />
          <BrandPart application={application} />
        </>
      )}
      {tab === 'banking' && <BankingTab application={application} />}
      {tab === 'key' && <KeyTab application={application} />}
      {tab === 'webhooks' && <WebhooksPanel application={application} />}
    </Tabs>
  )
}

/** Has the size of the loaded page. */
function ManageSkeleton() {
  const t = useApplicationsText()
  return (
    <div role="status" aria-label={t('loadingApplication')}>
      <BackLink />
      <div className={`${styles.head} ${row('wrap', 'start', 'between', 'gap16', 'rows12')}`}>
        <div className={`${styles.name} ${row('wrap', 'centre', 'rows4')}`}>
          <Skeleton h={32} w={240} />
          <Skeleton h={24} w={76} radius={12} />
          <div className={place('wholeLine')}>
            <Skeleton h={24} w={190} />
          </div>
        </div>
        <Skeleton h={42} w={118} />
      </div>
      <div className={panelClass}>
        <Skeleton h={52} radius={0} />
        <div className={styles.tabPanel}>
          {['names', 'description', 'dates'].map((row) => (
            <Skeleton key={row} h={44} mt={24} />
          ))}
        </div>
      </div>
    </div>
  )
}

export function BasicTab({ application }: ApplicationProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const { longDateText } = useFormats()
  const categoryName = useCategoryName()
  return (
    <Facts columns>
      <Fact name={t('applicationName')}>{application.applicationName}</Fact>
      <Fact name={t('category')}>{categoryName(application.category)}</Fact>
      <Fact name={t('applicationDescription')} full>
        {application.description}
      </Fact>
      <Fact name={dashboard('created')}>{longDateText(application.createdAt)}</Fact>
      <Fact name={t('applicationUpdated')}>{longDateText(application.updatedAt)}</Fact>
    </Facts>
  )
}

/** The code of the webhooks is loaded when their tab is opened: most visits do not open it. */
function WebhooksPanel({ application }: ApplicationProps) {
  const t = useApplicationsText()
  const { module, hasFailed, isLoading, load } = useLazyModule(() => import('./webhooks/webhooks-tab.tsx'))
  const loadFirst = useEffectEvent(() => load())
  useEffect(() => void loadFirst(), [])
  if (module) return <module.WebhooksTab application={application} />
  if (!hasFailed)
    return (
      <div role="status">
        <VisuallyHidden>{t('loadingEndpoints')}</VisuallyHidden>
        <Skeleton h={44} mt={16} />
        <Skeleton h={150} mt={16} />
      </div>
    )
  return (
    <LoadError onRetry={() => void load()} retrying={isLoading}>
      {t('webhooksNotLoaded')}
    </LoadError>
  )
}
