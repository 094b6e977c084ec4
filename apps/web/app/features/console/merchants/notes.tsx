import { NOTE_MAX_LENGTH } from '@muripo/contract/console-permissions'
import type { AuditId } from '@muripo/contract/ids'
import { type FormEvent, useState } from 'react'
import { useRefusedFieldTexts } from '../../../api/api-error.ts'
import { toast } from '../../../components/toast.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, place } from '../../../components/ui/classes.ts'
import { QueryError } from '../../../components/ui/empty-state.tsx'
import { AreaField } from '../../../components/ui/field.tsx'
import { Panel } from '../../../components/ui/panel.tsx'
import { useConsoleMay } from '../api.ts'
import { useConsoleDates } from '../dates.ts'
import { Refused } from '../decisions/reason-dialog.tsx'
import { ExportButton } from '../export-button.tsx'
import { Foot, More } from '../list-parts.tsx'
import { bodyClass, LoadingBody, NoneYet } from '../panel-parts.tsx'
import { useChange } from '../queries.ts'
import { notesPage, useNotes, writeNote } from '../record-queries.ts'
import { useConsoleText } from '../text.ts'
import styles from './merchants.module.css'

/** The notes of operators to a merchant, the newest first, with the form for a new one. */
export function Notes({ merchantId }: { readonly merchantId: string }) {
  const t = useConsoleText()
  const dates = useConsoleDates()
  const query = useNotes(merchantId)
  const notes = query.data?.pages.flatMap((page) => page.notes)
  return (
    <Panel title={t('notesTitle')} busy={!notes}>
      {useConsoleMay('console.notes.write') && <NewNote merchantId={merchantId} />}
      {!notes && (query.error ? <QueryError query={query} /> : <LoadingBody />)}
      {notes?.length === 0 && <NoneYet>{t('notesNone')}</NoneYet>}
      <ul className={place('list')}>
        {notes?.map(({ id, at, by, note }) => (
          <li key={id} className={`${styles.note} ${grid('gap4')}`}>
            <p className={`${styles.noteText} ${font('md', 'anywhere', 'pretty')}`}>{note}</p>
            <p className={font('sm', 'quiet', 'anywhere')}>
              {t('noteBy', { name: by, time: dates.when(at) })}
            </p>
          </li>
        ))}
      </ul>
      {notes && notes.length > 0 && (
        <Foot>
          <More {...query} />
          <ExportButton
            file="notes"
            columns={[
              ['Time', ({ at }) => at],
              ['By', ({ by }) => by],
              ['Note', ({ note }) => note],
            ]}
            readPage={(cursor: AuditId | null) => notesPage(merchantId, cursor)}
          />
        </Foot>
      )}
    </Panel>
  )
}

/** Typed text stays until it is kept. */
function NewNote({ merchantId }: { readonly merchantId: string }) {
  const t = useConsoleText()
  const [note, setNote] = useState('')
  const [isMissing, setMissing] = useState(false)
  const writing = useChange(
    (text: string) => writeNote(merchantId, text),
    () => {
      setNote('')
      toast.success(t('noteWritten'))
    },
  )
  const refused = useRefusedFieldTexts()(writing.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = note.trim()
    setMissing(text === '')
    if (text !== '' && !writing.isPending) writing.mutate(text)
  }
  return (
    <form noValidate className={`${bodyClass} ${grid('gap16')}`} onSubmit={submit}>
      <AreaField
        label={t('noteNew')}
        help={t('noteHelp')}
        error={isMissing ? t('noteMissing') : refused.note}
        rows={3}
        maxLength={NOTE_MAX_LENGTH}
        value={note}
        onChange={({ currentTarget: { value } }) => {
          setNote(value)
          setMissing(false)
        }}
      />
      {refused.note === undefined && <Refused error={writing.error} />}
      <div>
        <Button submit kind="default" running={writing.isPending} runningLabel={t('working')}>
          {t('noteWrite')}
        </Button>
      </div>
    </form>
  )
}
