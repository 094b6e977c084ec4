import { Button, Skeleton, Tabs } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useTimeZone } from '../../api/account.ts'
import { useApplication } from '../../api/applications.ts'
import { EmptyState, LoadError, LoadingRows } from '../../components/empty-state.tsx'
import { Fact, Facts } from '../../components/facts.tsx'
import { IconApps, IconArrowLeft } from '../../components/icons.ts'
import { Note } from '../../components/note.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import type { Route } from './+types/manage.ts'
import { BankingTab } from './banking-tab.tsx'
import { BrandPart } from './brand.tsx'
import { KeyTab } from './key-tab.tsx'
import styles from './manage.module.css'
import { StatusDialog, statusOf } from './status-dialog.tsx'
import { useApplicationsText, useCategoryName } from './text.ts'

export const handle: DashboardHandle = { title: 'applicationManagementPage' }

function BackLink() {
  const t = useApplicationsText()
  return (
    <Link to={paths.applications} className={styles.back}>
      <IconArrowLeft size={18} stroke={1.75} aria-hidden />
      {t('backToApplications')}
    </Link>
  )
}

export default function Manage({ params }: Route.ComponentProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const { data: application, error, isPending } = useApplication(params.applicationId)
  const timeZone = useTimeZone()
  const navigate = useNavigate()
  const [isConfirming, setConfirming] = useState(false)
  const [tab, openTab] = useTab()
  const lost = error !== null
  useEffect(() => {
    if (lost) void navigate(paths.applications, { replace: true })
  }, [lost, navigate])

  if (isPending) return <ManageSkeleton />
  if (!application)
    return <EmptyState icon={IconApps} title={t('applicationNotFound')} action={<BackLink />} />
  const status = statusOf(application, t)
  return (
    <>
      <BackLink />
      <div className={styles.head}>
        <div className={styles.name}>
          <h1>{application.applicationName}</h1>
          <StatusBadge tone={status.tone}>{status.word}</StatusBadge>
          <p>{dashboard('applicationManagementPage')}</p>
        </div>
        {application.stopReason === null && (
          <Button variant="default" onClick={() => setConfirming(true)}>
            {t(application.status === 'active' ? 'deactivate' : 'activate')}
          </Button>
        )}
      </div>
      {application.stopReason !== null && (
        <div className={styles.stopped}>
          <Note>{t('applicationStopped', { reason: application.stopReason })}</Note>
        </div>
      )}
      <Tabs
        value={tab}
        onChange={openTab}
        classNames={{
          root: styles.tabs ?? '',
          list: styles.tabList ?? '',
          tab: styles.tab ?? '',
          panel: styles.tabPanel ?? '',
        }}
      >
        <Tabs.List aria-label={t('application')}>
          <Tabs.Tab value="basic">{t('basicTab')}</Tabs.Tab>
          <Tabs.Tab value="banking">{t('bankingTab')}</Tabs.Tab>
          <Tabs.Tab value="key">{t('applicationKey')}</Tabs.Tab>
          <Tabs.Tab value="webhooks">{t('webhooksTab')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="basic">
          <BasicTab application={application} timeZone={timeZone} />
          <BrandPart application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="banking">
          <BankingTab application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="key">
          <KeyTab application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks" keepMounted={false}>
          <WebhooksPanel application={application} />
        </Tabs.Panel>
      </Tabs>
      <StatusDialog application={isConfirming ? application : null} onClose={() => setConfirming(false)} />
    </>
  )
}

const tabs: readonly string[] = ['basic', 'banking', 'key', 'webhooks']

/** The open tab is in the address: a reload and the back button return to it. */
function useTab() {
  const [search, setSearch] = useSearchParams()
  const named = search.get('tab') ?? ''
  const open = (tab: string | null) =>
    setSearch(tab === null || tab === tabs[0] ? {} : { tab }, { preventScrollReset: true })
  return [tabs.includes(named) ? named : 'basic', open] as const
}

/** As tall and wide as what it stands for. */
function ManageSkeleton() {
  const t = useApplicationsText()
  return (
    <div role="status" aria-label={t('loadingApplication')}>
      <BackLink />
      <div className={styles.head}>
        <div className={styles.name}>
          <Skeleton h={32} w={240} />
          <Skeleton h={24} w={76} radius={12} />
          <div className={styles.below}>
            <Skeleton h={24} w={190} />
          </div>
        </div>
        <Skeleton h={42} w={118} />
      </div>
      <div className={styles.tabs}>
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

interface BasicTabProps {
  readonly application: Application
  readonly timeZone: string | undefined
}

export function BasicTab({ application, timeZone }: BasicTabProps) {
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
      <Fact name={dashboard('created')}>{longDateText(application.createdAt, timeZone)}</Fact>
      <Fact name={t('applicationUpdated')}>{longDateText(application.updatedAt, timeZone)}</Fact>
    </Facts>
  )
}

/** Most visits to this page do not open the webhooks, so that their code is loaded later. */
function WebhooksPanel({ application }: { readonly application: Application }) {
  const t = useApplicationsText()
  const { module, hasFailed, isLoading, load } = useLazyModule(() => import('./webhooks/webhooks-tab.tsx'))
  const loadFirst = useEffectEvent(() => load())
  useEffect(() => void loadFirst(), [])
  if (module) return <module.WebhooksTab application={application} />
  if (!hasFailed) return <LoadingRows>{t('loadingEndpoints')}</LoadingRows>
  return (
    <LoadError onRetry={() => void load()} retrying={isLoading}>
      {t('webhooksNotLoaded')}
    </LoadError>
  )
}
