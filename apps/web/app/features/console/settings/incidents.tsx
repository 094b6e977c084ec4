import { incidentStatuses } from '@muripo/contract/incident-statuses'
import type { Incident, IncidentStatus } from '@muripo/contract/site'
import { type FormEvent, useState } from 'react'
import { toast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, place, row } from '../../../components/ui/classes.ts'
import { Dialog, DialogFoot } from '../../../components/ui/dialog.tsx'
import { QueryError } from '../../../components/ui/empty-state.tsx'
import { AreaField, SelectField, TextField } from '../../../components/ui/field.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { StatusBadge } from '../../../components/ui/status-badge.tsx'
import type { CsvColumns } from '../../../lib/csv-text.ts'
import { useCommonText } from '../../../lib/page-text.ts'
import { useConsoleMay } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { Refused } from '../decisions/reason-dialog.tsx'
import { asPage, ExportButton } from '../export-button.tsx'
import { Controls, Foot, useAddressFilter } from '../list-parts.tsx'
import { announce, updateIncident, useIncidents } from '../operation-queries.ts'
import { NoneYet } from '../panel-parts.tsx'
import { useChange } from '../queries.ts'
import { type ConsoleKey, useConsoleText } from '../text.ts'
import styles from './settings.module.css'

const statusTexts = {
  investigating: 'incidentInvestigating',
  identified: 'incidentIdentified',
  monitoring: 'incidentMonitoring',
  resolved: 'incidentResolved',
} as const satisfies Readonly<Record<IncidentStatus, ConsoleKey>>

const shownIncidents = ['open', 'resolved'] as const

const file: CsvColumns<Incident> = [
  ['ID', ({ id }) => id],
  ['Title', ({ title }) => title],
  ['Resolved', ({ resolvedAt }) => resolvedAt ?? ''],
  ['Last update', ({ updates: [last] }) => last?.at ?? ''],
  ['Status', ({ updates: [last] }) => last?.status ?? ''],
  ['Message', ({ updates: [last] }) => last?.message ?? ''],
]

export function Incidents() {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const query = useIncidents()
  const mayWrite = useConsoleMay('console.incidents.write')
  const [open, setOpen] = useState<Incident | 'new' | null>(null)
  const [typed, setShown] = useAddressFilter('incidents')
  const shown = shownIncidents.find((each) => each === typed)
  const items = query.data?.filter(
    ({ resolvedAt }) => shown === undefined || (resolvedAt === null) === (shown === 'open'),
  )
  return (
    <>
      <Panel
        title={t('settingsIncidents')}
        busy={!items}
        aside={
          mayWrite && (
            <Button kind="default" aria-haspopup="dialog" onClick={() => setOpen('new')}>
              {t('settingsAnnounce')}
            </Button>
          )
        }
      >
        <Controls>
          <SelectField
            label={t('consoleShow')}
            value={shown ?? ''}
            choices={[
              { value: '', label: t('reviewsAll') },
              { value: 'open', label: t('incidentsOpen') },
              { value: 'resolved', label: t('incidentResolved') },
            ]}
            onChange={({ currentTarget: { value } }) => setShown(value)}
          />
        </Controls>
        {query.error && !items && <QueryError query={query} />}
        {items?.length === 0 && (
          <NoneYet>{t(shown === undefined ? 'settingsNoIncidents' : 'incidentsNone')}</NoneYet>
        )}
        <ul className={place('list')}>
          {items?.map((incident) => {
            const [last] = incident.updates
            return (
              <li key={incident.id} className={`${styles.incident} ${row('wrap', 'centre', 'gap12')}`}>
                <div className={`${grid('gap4')} ${place('grow')}`}>
                  <p className={font('md', 'semibold', 'anywhere')}>{incident.title}</p>
                  {last && (
                    <p className={font('sm', 'quiet', 'anywhere')}>
                      {`${dates.when(last.at)}: ${last.message}`}
                    </p>
                  )}
                </div>
                {last && (
                  <StatusBadge tone={last.status === 'resolved' ? 'green' : 'yellow'}>
                    {t(statusTexts[last.status])}
                  </StatusBadge>
                )}
                {mayWrite && incident.resolvedAt === null && (
                  <Button
                    kind="default"
                    aria-haspopup="dialog"
                    aria-label={t('settingsUpdateOf', { title: incident.title })}
                    onClick={() => setOpen(incident)}
                  >
                    {t('settingsUpdate')}
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
        {items && items.length > 0 && (
          <Foot>
            <ExportButton file="incidents" columns={file} readPage={asPage(items)} />
          </Foot>
        )}
      </Panel>
      {open !== null && (
        <Announcement
          key={open === 'new' ? open : open.id}
          incident={open === 'new' ? null : open}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

interface AnnouncementProps {
  /** Null: a new one. */
  readonly incident: Incident | null
  readonly onClose: () => void
}

function Announcement({ incident, onClose }: AnnouncementProps) {
  const t = useConsoleText()
  const common = useCommonText()
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [status, setStatus] = useState<IncidentStatus>('monitoring')
  const [tried, setTried] = useState(false)
  const change = useChange(
    async () => {
      if (incident === null) await announce({ title: title.trim(), text: text.trim() })
      else await updateIncident(incident.id, { status, text: text.trim() })
    },
    () => {
      toast.success(t('settingsPublished'))
      onClose()
    },
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (text.trim() !== '' && (incident !== null || title.trim() !== '') && !change.isPending)
      change.mutate(undefined)
  }
  return (
    <Dialog
      opened
      title={
        incident === null ? t('settingsAnnounceTitle') : t('settingsUpdateOf', { title: incident.title })
      }
      closesBy="escape"
      running={change.isPending}
      onClose={onClose}
    >
      <form noValidate className={grid('gap20')} onSubmit={submit}>
        {incident === null ? (
          <TextField
            data-autofocus
            label={t('settingsIncidentTitle')}
            maxLength={120}
            value={title}
            error={tried && title.trim() === '' ? t('settingsTitleMissing') : undefined}
            onChange={({ currentTarget: { value } }) => setTitle(value)}
          />
        ) : (
          <SelectField
            data-autofocus
            label={t('consoleStatus')}
            value={status}
            choices={incidentStatuses.map((value) => ({
              value,
              label: t(statusTexts[value]),
            }))}
            onChange={({ currentTarget: { value } }) =>
              setStatus(incidentStatuses.find((each) => each === value) ?? status)
            }
          />
        )}
        <AreaField
          label={t('settingsIncidentText')}
          rows={4}
          maxLength={1000}
          value={text}
          error={tried && text.trim() === '' ? t('settingsIncidentMissing') : undefined}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Refused error={change.error} />
        <DialogFoot>
          <Button submit running={change.isPending} runningLabel={t('working')}>
            {t('settingsPublish')}
          </Button>
          <Button kind="default" running={change.isPending} onClick={onClose}>
            {common('cancel')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
