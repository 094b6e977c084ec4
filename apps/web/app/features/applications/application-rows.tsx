import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { Link } from 'react-router'
import { type Column, DataList } from '../../components/data-list.tsx'
import panel from '../../components/panel.module.css'
import { StatusBadge } from '../../components/status-badge.tsx'
import { dateText } from '../../lib/format.ts'
import { paths } from '../../lib/paths.ts'
import styles from './application-rows.module.css'
import { statusOf, statusVerb } from './status-dialog.tsx'

interface ApplicationRowsProps {
  readonly applications: readonly Application[]
  readonly timeZone: string | undefined
  readonly onStatus: (application: Application) => void
}

export function ApplicationRows({ applications, timeZone, onStatus }: ApplicationRowsProps) {
  const columns: readonly Column<Application>[] = [
    {
      title: 'Application Name',
      area: 'name',
      className: styles.name,
      cell: ({ applicationName }) => applicationName,
    },
    { title: 'Category', area: 'category', isQuiet: true, cell: ({ category }) => category },
    {
      title: 'Status',
      area: 'status',
      align: 'endInCard',
      cell(application) {
        const { tone, word } = statusOf(application)
        return <StatusBadge tone={tone}>{word}</StatusBadge>
      },
    },
    {
      title: 'Date Created',
      area: 'created',
      align: 'endInCard',
      isQuiet: true,
      cell: ({ createdAt }) => dateText(createdAt, timeZone),
    },
    {
      title: 'Actions',
      area: 'actions',
      align: 'end',
      cell: (application) => <Actions application={application} onStatus={onStatus} />,
    },
  ]
  return (
    <DataList
      label="Applications"
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

const Actions = ({ application, onStatus }: ActionsProps) => {
  const verb = statusVerb(application)
  const button = { variant: 'default', size: 'sm', className: panel.rowButton ?? '' } as const
  return (
    <div className={styles.actions}>
      <Button
        {...button}
        component={Link}
        to={paths.application(application._id)}
        aria-label={`Manage ${application.applicationName}`}
      >
        Manage
      </Button>
      <Button
        {...button}
        aria-label={`${verb} ${application.applicationName}`}
        onClick={() => onStatus(application)}
      >
        {verb}
      </Button>
    </div>
  )
}
