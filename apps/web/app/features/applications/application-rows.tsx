import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import { type Column, DataList } from '../../components/data-list.tsx'
import panel from '../../components/panel.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import styles from './application-rows.module.css'
import { applicationStatus } from './status-dialog.tsx'
import { useApplicationsText, useCategoryName } from './text.ts'

interface ApplicationRowsProps {
  readonly applications: readonly Application[]
  readonly onStatus: (application: Application) => void
}

export function ApplicationRows({ applications, onStatus }: ApplicationRowsProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const { dateText } = useFormats()
  const categoryName = useCategoryName()
  const columns: readonly Column<Application>[] = [
    {
      title: t('applicationName'),
      area: 'name',
      className: styles.name,
      cell: ({ applicationName }) => applicationName,
    },
    {
      title: t('category'),
      area: 'category',
      isQuiet: true,
      className: styles.category,
      cell: ({ category }) => categoryName(category),
    },
    {
      title: dashboard('status'),
      area: 'status',
      align: 'endInCard',
      cell(application) {
        const { tone, word } = applicationStatus(application, t)
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    {
      title: t('applicationCreated'),
      area: 'created',
      align: 'endInCard',
      isQuiet: true,
      cell: ({ createdAt }) => dateText(createdAt),
    },
    {
      title: dashboard('actions'),
      area: 'actions',
      align: 'end',
      cell: (application) => <Actions application={application} onStatus={onStatus} />,
    },
  ]
  return (
    <DataList
      label={dashboard('applicationsPage')}
      className={styles.list}
      columns={columns}
      items={applications}
      keyOf={({ _id }) => _id}
    />
  )
}

interface ActionsProps {
  readonly application: Application
  readonly onStatus: (application: Application) => void
}

function Actions({ application, onStatus }: ActionsProps) {
  const t = useApplicationsText()
  const { _id, applicationName: name, status } = application
  const isActive = status === 'active'
  const button = { variant: 'default', size: 'sm', className: panel.rowButton ?? '' } as const
  return (
    <div className={styles.actions}>
      <Button
        {...button}
        component={Link}
        to={paths.application(_id)}
        aria-label={t('manageNamed', { name })}
      >
        {t('manage')}
      </Button>
      <Button
        {...button}
        aria-label={t(isActive ? 'deactivateNamed' : 'activateNamed', { name })}
        onClick={() => onStatus(application)}
      >
        {t(isActive ? 'deactivate' : 'activate')}
      </Button>
    </div>
  )
}
