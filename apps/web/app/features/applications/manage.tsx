import { Button, Skeleton, Tabs } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useEffect, useEffectEvent, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { useTimeZone } from '../../api/account.ts'
import { useApplication } from '../../api/applications.ts'
import { Fact, Facts } from '../../components/description-list.tsx'
import { EmptyState, LoadError, LoadingRows } from '../../components/empty-state.tsx'
import { IconApps, IconArrowLeft } from '../../components/icons.ts'
import { Note } from '../../components/note.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import type { DashboardHandle } from '../../lib/dashboard-text.ts'
import { longDateText } from '../../lib/format.ts'
import { useLazyModule } from '../../lib/lazy.ts'
import { paths } from '../../lib/paths.ts'
import type { Route } from './+types/manage.ts'
import { BankingTab } from './banking-tab.tsx'
import { BrandPart } from './brand.tsx'
import { KeyTab } from './key-tab.tsx'
import styles from './manage.module.css'
import { StatusDialog, statusOf, statusVerb } from './status-dialog.tsx'

export const handle: DashboardHandle = { title: 'applicationManagementPage' }

const BackLink = () => (
  <Link to={paths.applications} className={styles.back}>
    <IconArrowLeft size={18} stroke={1.75} aria-hidden />
    Back to Applications
  </Link>
)

export default function Manage({ params }: Route.ComponentProps) {
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
  if (!application) return <EmptyState icon={IconApps} title="Application not found." action={<BackLink />} />
  const status = statusOf(application)
  return (
    <>
      <BackLink />
      <div className={styles.head}>
        <div className={styles.name}>
          <h1>{application.applicationName}</h1>
          <StatusBadge tone={status.tone}>{status.word}</StatusBadge>
          <p>Application Management</p>
        </div>
        {application.stopReason === null && (
          <Button variant="default" onClick={() => setConfirming(true)}>
            {statusVerb(application)}
          </Button>
        )}
      </div>
      {application.stopReason !== null && (
        <div className={styles.stopped}>
          <Note>{`We have stopped this application: its keys are refused and nobody can begin to pay it. The reason: ${application.stopReason}`}</Note>
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
        <Tabs.List aria-label="Application">
          <Tabs.Tab value="basic">Basic Information</Tabs.Tab>
          <Tabs.Tab value="banking">Banking Settlements and Reconciliations</Tabs.Tab>
          <Tabs.Tab value="key">Application Key</Tabs.Tab>
          <Tabs.Tab value="webhooks">Webhooks</Tabs.Tab>
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
const ManageSkeleton = () => (
  <div role="status" aria-label="Loading application">
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

interface BasicTabProps {
  readonly application: Application
  readonly timeZone: string | undefined
}

export const BasicTab = ({ application, timeZone }: BasicTabProps) => (
  <Facts columns>
    <Fact name="Application Name">{application.applicationName}</Fact>
    <Fact name="Category">{application.category}</Fact>
    <Fact name="Description" full>
      {application.description}
    </Fact>
    <Fact name="Created">{longDateText(application.createdAt, timeZone)}</Fact>
    <Fact name="Last Updated">{longDateText(application.updatedAt, timeZone)}</Fact>
  </Facts>
)

/** Most visits to this page do not open the webhooks, so that their code is loaded later. */
function WebhooksPanel({ application }: { readonly application: Application }) {
  const { module, hasFailed, isLoading, load } = useLazyModule(() => import('./webhooks/webhooks-tab.tsx'))
  const loadFirst = useEffectEvent(() => load())
  useEffect(() => void loadFirst(), [])
  if (module) return <module.WebhooksTab application={application} />
  if (!hasFailed) return <LoadingRows>Loading endpoints...</LoadingRows>
  return (
    <LoadError onRetry={() => void load()} retrying={isLoading}>
      The webhooks could not be loaded.
    </LoadError>
  )
}
