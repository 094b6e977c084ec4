import type { Application } from '@muripo/contract/applications'
import { useMay } from '../../api/may.ts'
import { Button, ButtonLink } from '../../components/ui/button.tsx'
import { font, row } from '../../components/ui/classes.ts'
import { type Column, DataList } from '../../components/ui/data-list.tsx'
import { StatusBadge } from '../../components/ui/status-badge.tsx'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { paths } from '../../lib/paths.ts'
import { useFormats } from '../../lib/use-formats.ts'
import styles from './application-rows.module.css'
import { applicationStatus } from './status-dialog.tsx'
import { useApplicationsText, useCategoryName } from './text.ts'

interface ApplicationRowsProps {
  /** Undefined while they are loading. */
  readonly applications: readonly Application[] | undefined
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
      className: font('medium', 'anywhere'),
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
      placeholder: 'badge',
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
      className: styles.action,
      placeholder: 'button',
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
  const mayChange = useMay('applications.write')
  const button = { kind: 'default', size: 'small' } as const
  return (
    <div className={`${styles.actions} ${row('gap8')}`}>
      <ButtonLink {...button} to={paths.application(_id)} aria-label={t('manageNamed', { name })}>
        {t('manage')}
      </ButtonLink>
      {mayChange && (
        <Button
          {...button}
          aria-label={t(isActive ? 'deactivateNamed' : 'activateNamed', { name })}
          onClick={() => onStatus(application)}
        >
          {t(isActive ? 'deactivate' : 'activate')}
        </Button>
      )}
    </div>
  )
}
