import { Button, Select, TextInput } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApplications } from '../../api/applications.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { EmptyState, LoadingRows, QueryError } from '../../components/empty-state.tsx'
import { IconApps, IconFilterOff, IconPlus, IconSearch } from '../../components/icons.ts'
import { PageHeader, RefreshButton } from '../../components/page-header.tsx'
import panel from '../../components/panel.module.css'
import { type DashboardHandle, useDashboardText } from '../../lib/dashboard-text.ts'
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

export const handle: DashboardHandle = { title: 'applicationsPage' }

export default function Applications() {
  const t = useApplicationsText()
  const dashboard = useDashboardText()
  const list = useApplications()
  const cache = useQueryClient()
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<Application | null>(null)

  return (
    <>
      <PageHeader title={dashboard('applicationsPage')}>
        <RefreshButton loading={list.isFetching} onClick={() => void list.refetch()} />
        <Button leftSection={<IconPlus size={18} stroke={2} aria-hidden />} onClick={() => setCreating(true)}>
          {t('createApplicationTitle')}
        </Button>
      </PageHeader>
      {list.error && !list.data ? <QueryError query={list} /> : <ApplicationList applications={list.data} />}
      <CreateDialog
        opened={creating}
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

interface ApplicationListProps {
  /** Undefined while they are loading. */
  readonly applications: readonly Application[] | undefined
}

function ApplicationList({ applications }: ApplicationListProps) {
  const t = useApplicationsText()
  const [filters, setFilters] = useListFilters()
  const [statusTarget, setStatusTarget] = useState<Application | null>(null)
  const matching = filterApplications(applications ?? [], filters, useCategoryName())
  const clear = () => setFilters(noFilters)
  return (
    <section className={panel.panel} aria-label={t('yourApplications')}>
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
            <NoApplications isFiltered={applications.length > 0} onClear={clear} />
          )}
        </>
      ) : (
        <LoadingRows>{t('loadingApplications')}</LoadingRows>
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
      <button type="button" className={panel.clear} aria-disabled={!isFiltered} onClick={onClear}>
        {dashboard('clearFilters')}
      </button>
    </div>
  )
}

function NoApplications({ isFiltered, onClear }: FilteredProps) {
  const t = useApplicationsText()
  if (!isFiltered) {
    return (
      <EmptyState icon={IconApps} title={t('applicationsNone')}>
        {t('createFirstApplication')}
      </EmptyState>
    )
  }
  const clear = (
    <Button variant="default" onClick={onClear}>
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
      <TextInput
        type="search"
        label={t('applicationSearch')}
        className={panel.search ?? ''}
        placeholder={t('applicationSearchHint')}
        leftSection={<IconSearch size={18} stroke={1.75} aria-hidden />}
        value={filters.search}
        onChange={(event) => onChange({ ...filters, search: event.currentTarget.value })}
      />
      <Select
        aria-label={t('applicationSort')}
        data={[
          { value: 'newest', label: t('applicationsNewest') },
          { value: 'oldest', label: t('applicationsOldest') },
        ]}
        allowDeselect={false}
        value={filters.sort}
        onChange={(sort) => onChange({ ...filters, sort: (sort ?? 'newest') as ListFilters['sort'] })}
      />
      <Select
        aria-label={dashboard('status')}
        data={[
          { value: 'all', label: t('applicationsAll') },
          { value: 'active', label: t('applicationActive') },
          { value: 'inactive', label: t('applicationInactive') },
        ]}
        allowDeselect={false}
        value={filters.status}
        onChange={(status) => onChange({ ...filters, status: (status ?? 'all') as ListFilters['status'] })}
      />
    </div>
  )
}
