import { Button } from '@mantine/core'
import type { Application } from '@muripo/contract/applications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { IconApps, IconFilterOff, IconPlus } from '../../ui/icons.ts'
import { LoadingRows } from '../../ui/loading-rows.tsx'
import { EmptyState, LoadError } from '../../ui/message.tsx'
import { PageHead, RefreshButton } from '../../ui/page-head.tsx'
import panel from '../../ui/panel.module.css'
import { useTimeZone } from '../account.ts'
import { isFiltered, noFilters, visible } from './application-list.ts'
import { ApplicationRows } from './application-rows.tsx'
import { applicationsKey, useApplications } from './applications-api.ts'
import { CreateDialog } from './create-dialog.tsx'
import { CreatedDialog } from './created-dialog.tsx'
import { ListControls } from './list-controls.tsx'
import { StatusDialog } from './status-dialog.tsx'

export const meta = () => [{ title: 'Applications · Muripo' }, { name: 'robots', content: 'noindex' }]

export default function Applications() {
  const list = useApplications()
  const timeZone = useTimeZone()
  const cache = useQueryClient()
  const [filters, setFilters] = useState(noFilters)
  const [creating, setCreating] = useState(false)
  const [created, setCreated] = useState<Application | null>(null)
  const [asked, setAsked] = useState<Application | null>(null)
  const clear = () => setFilters(noFilters)
  const reload = () => void list.refetch()
  const all = list.data
  const shown = visible(all ?? [], filters)

  return (
    <>
      <PageHead title="Applications">
        <RefreshButton loading={list.isFetching} onClick={reload} />
        <Button leftSection={<IconPlus size={18} stroke={2} aria-hidden />} onClick={() => setCreating(true)}>
          Create New Application
        </Button>
      </PageHead>
      {list.error && !all ? (
        <LoadError onRetry={reload} retrying={list.isFetching}>
          {list.error.message}
        </LoadError>
      ) : (
        <section className={panel.panel} aria-label="Your applications">
          <ListControls filters={filters} onChange={setFilters} />
          {all && (
            <div className={panel.count}>
              <p aria-live="polite">
                Showing {shown.length} of {all.length} applications
              </p>
              <button
                type="button"
                className={panel.clear}
                aria-disabled={!isFiltered(filters)}
                onClick={clear}
              >
                Clear filters
              </button>
            </div>
          )}
          {!all && <LoadingRows>Loading applications...</LoadingRows>}
          {all?.length === 0 && (
            <EmptyState icon={IconApps} title="No applications found">
              Create your first application to get started.
            </EmptyState>
          )}
          {all && all.length > 0 && shown.length === 0 && (
            <EmptyState
              icon={IconFilterOff}
              title="No applications match your filters"
              action={
                <Button variant="default" onClick={clear}>
                  Clear all filters
                </Button>
              }
            />
          )}
          {shown.length > 0 && (
            <ApplicationRows applications={shown} timeZone={timeZone} onStatus={setAsked} />
          )}
        </section>
      )}
      <CreateDialog
        opened={creating}
        onClose={() => setCreating(false)}
        onCreated={(application) => {
          setCreating(false)
          setCreated(application)
          void cache.invalidateQueries({ queryKey: applicationsKey, exact: true })
        }}
      />
      <StatusDialog application={asked} onClose={() => setAsked(null)} />
      <CreatedDialog application={created} onClose={() => setCreated(null)} />
    </>
  )
}
