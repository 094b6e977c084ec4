import { Skeleton, Tabs } from '@mantine/core'
import { useEffect } from 'react'
import { Link, useNavigate } from 'react-router'
import { capitalise } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import { IconApps, IconArrowLeft } from '../../ui/icons.ts'
import { EmptyState } from '../../ui/message.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import type { Route } from './+types/manage.ts'
import styles from './applications.module.css'
import { useApplication } from './applications-api.ts'
import { BankingTab, BasicTab } from './fact-tabs.tsx'
import { KeyTab } from './key-tab.tsx'

export const meta = () => [
  { title: 'Application Management · Muripo' },
  { name: 'robots', content: 'noindex' },
]

const BackLink = () => (
  <Link to={paths.applications} className={styles.back}>
    <IconArrowLeft size={18} stroke={1.75} aria-hidden />
    Back to Applications
  </Link>
)

export default function Manage({ params }: Route.ComponentProps) {
  const { data: application, error, isPending } = useApplication(params.applicationId)
  const navigate = useNavigate()
  const lost = error !== null && !application
  useEffect(() => {
    if (lost) void navigate(paths.applications, { replace: true })
  }, [lost, navigate])

  if (isPending) return <ManageSkeleton />
  if (!application) return <EmptyState icon={IconApps} title="Application not found." action={<BackLink />} />
  return (
    <>
      <BackLink />
      <div className={styles.manageHead}>
        <h1>{application.applicationName}</h1>
        <StatusBadge tone={application.status === 'active' ? 'green' : 'yellow'}>
          {application.status ? capitalise(application.status) : 'Unknown'}
        </StatusBadge>
        <p>Application Management</p>
      </div>
      <Tabs
        defaultValue="basic"
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
        </Tabs.List>
        <Tabs.Panel value="basic">
          <BasicTab application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="banking">
          <BankingTab application={application} />
        </Tabs.Panel>
        <Tabs.Panel value="key">
          <KeyTab application={application} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const ManageSkeleton = () => (
  <div role="status" aria-label="Loading application">
    <BackLink />
    <div className={styles.manageHead}>
      <Skeleton h={32} w={240} />
      <Skeleton h={24} w={180} />
    </div>
    <Skeleton h={360} radius={14} />
  </div>
)
