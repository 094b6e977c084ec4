import type { Application } from '@muripo/contract/applications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApplications } from '../../api/applications.ts'
import { useMayForAll } from '../../api/may.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { IconApps, IconFilterOff, IconPlus, IconSearch } from '../../components/icons.ts'
import { Button } from '../../components/ui/button.tsx'
import { panelClass, textLinkClass } from '../../components/ui/classes.ts'
import { EmptyState, QueryError } from '../../components/ui/empty-state.tsx'
import { SelectField, TextField } from '../../components/ui/field.tsx'
import { PageHeader, RefreshButton } from '../../components/ui/page-header.tsx'
import panel from '../../components/ui/panel.module.css'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
import { CREATES } from '../../lib/paths.ts'
import { ApplicationRows } from './application-rows.tsx'
import { CreateDialog, CreatedDialog } from './create-dialog.tsx'
import {
  filterApplications,
  hasFilters,
  type ListFilters,
  noFilters,
  useListFilters,
} from './list-filters.ts'
import { StatusDialog } from './status-dialog.tsx'
import { useApplicationsText, useCategoryName } from './text.ts'

export const handle: DashboardHandle = { title: 'applicationsPage', needs: 'applications.read' }

export default function Applications() {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const list = useApplications()
  const mayCreate = useMayForAll('applications.write')
  const cache = useQueryClient()
  const [creating, setCreating] = useCreating()
  const [created, setCreated] = useState<Application | null>(null)

  return (
    <>
      <PageHeader title={dashboard('applicationsPage')}>
        <RefreshButton loading={list.isFetching} onClick={() => void list.refetch()} />
        {mayCreate && (
          <Button icon={IconPlus} onClick={() => setCreating(true)}>
            {t('createApplicationTitle')}
          </Button>
        )}
      </PageHeader>
      {list.error && !list.data ? (
        <QueryError query={list} />
      ) : (
        <ApplicationList applications={list.data} onCreate={mayCreate ? () => setCreating(true) : null} />
      )}
      <CreateDialog
        opened={creating && mayCreate}
        onClose={() => setCreating(false)}
        onCreated={(application) => {
          setCreating(false)
          setCreated(application)
          void cache.invalidateQueries({ queryKey: queryKeys.applications, exact: true })
        }}
      />
      <CreatedDialog application={created} onClose={() => setCreated(null)} />
    </>
  )
}

/** Whether the dialog is open. A link may open it, once: not again when the reader goes back. */
function useCreating() {
  const { state, pathname, search } = useLocation()
  const navigate = useNavigate()
  const isRequested = state === CREATES
  const [creating, setCreating] = useState(isRequested)
  useEffect(() => {
    if (isRequested) void navigate(pathname + search, { replace: true, state: null })
  }, [isRequested, navigate, pathname, search])
  return [creating, setCreating] as const
}

interface ApplicationListProps {
  /** Undefined while they are loading. */
  readonly applications: readonly Application[] | undefined
  /** Null for a role that may not create one. */
  readonly onCreate: (() => void) | null
}

function ApplicationList({ applications, onCreate }: ApplicationListProps) {
  const t = useApplicationsText()
  const [filters, setFilters] = useListFilters()
  const [statusTarget, setStatusTarget] = useState<Application | null>(null)
  const matching = filterApplications(applications ?? [], filters, useCategoryName())
  const clear = () => setFilters(noFilters)
  return (
    <section className={panelClass} aria-label={t('yourApplications')} tabIndex={-1}>
      <ListControls filters={filters} onChange={setFilters} />
      {applications ? (
        <>
          <ListCount
            shown={matching.length}
            all={applications.length}
            isFiltered={hasFilters(filters)}
            onClear={clear}
          />
          {matching.length > 0 ? (
            <ApplicationRows applications={matching} onStatus={setStatusTarget} />
          ) : (
            <NoApplications isFiltered={applications.length > 0} onClear={clear} onCreate={onCreate} />
          )}
        </>
      ) : (
        <>
          <p className={panel.count} role="status">
            {t('loadingApplications')}
          </p>
          <ApplicationRows applications={undefined} onStatus={setStatusTarget} />
        </>
      )}
      <StatusDialog application={statusTarget} onClose={() => setStatusTarget(null)} />
    </section>
  )
}

interface FilteredProps {
  readonly isFiltered: boolean
  readonly onClear: () => void
}

interface ListCountProps extends FilteredProps {
  readonly shown: number
  readonly all: number
}

function ListCount({ shown, all, isFiltered, onClear }: ListCountProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  return (
    <div className={panel.count}>
      <p aria-live="polite">{t('applicationsShown', { shown, all })}</p>
      <button
        type="button"
        className={`${textLinkClass} ${panel.clear}`}
        aria-disabled={!isFiltered}
        onClick={onClear}
      >
        {dashboard('clearFilters')}
      </button>
    </div>
  )
}

function NoApplications({
  isFiltered,
  onClear,
  onCreate,
}: FilteredProps & Pick<ApplicationListProps, 'onCreate'>) {
  const t = useApplicationsText()
  if (!isFiltered) {
    return (
      <EmptyState
        icon={IconApps}
        title={t('applicationsNone')}
        action={onCreate && <Button onClick={onCreate}>{t('firstApplicationButton')}</Button>}
      >
        {onCreate && t('createFirstApplication')}
      </EmptyState>
    )
  }
  const clear = (
    <Button kind="default" onClick={onClear}>
      {t('clearApplicationFilters')}
    </Button>
  )
  return <EmptyState icon={IconFilterOff} title={t('applicationsNoMatch')} action={clear} />
}

interface ListControlsProps {
  readonly filters: ListFilters
  readonly onChange: (filters: ListFilters) => void
}

function ListControls({ filters, onChange }: ListControlsProps) {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  return (
    <div className={panel.controls}>
      <TextField
        type="search"
        label={t('applicationSearch')}
        className={panel.search}
        placeholder={t('applicationSearchHint')}
        icon={IconSearch}
        value={filters.search}
        onChange={(event) => onChange({ ...filters, search: event.currentTarget.value })}
      />
      <SelectField
        label={t('applicationSort')}
        isLabelHidden
        choices={[
          { value: 'newest', label: t('applicationsNewest') },
          { value: 'oldest', label: t('applicationsOldest') },
        ]}
        value={filters.sort}
        onChange={(event) => onChange({ ...filters, sort: event.currentTarget.value as ListFilters['sort'] })}
      />
      <SelectField
        label={dashboard('status')}
        isLabelHidden
        choices={[
          { value: 'all', label: t('applicationsAll') },
          { value: 'active', label: t('applicationActive') },
          { value: 'inactive', label: t('applicationInactive') },
        ]}
        value={filters.status}
        onChange={(event) =>
          onChange({ ...filters, status: event.currentTarget.value as ListFilters['status'] })
        }
      />
    </div>
  )
}
