import { type DragEvent, useState } from 'react'
import { IconFileTypePdf, IconUpload } from '../../components/icons.ts'
import { font, row, textLinkClass } from '../../components/ui/classes.ts'
import { Field } from '../../components/ui/field.tsx'
import styles from './auth.module.css'
import { useAuthText } from './text.ts'

interface DocumentFieldProps {
  readonly file: File | null
  readonly error: string | undefined
  readonly onPick: (file: File) => void
  /** The sent part of the file while it is uploaded. */
  readonly sent: number | null
  readonly onCancel: () => void
}

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} kB`
    : `${(bytes / (1024 * 1024)).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`

/** Accepts every file: the form checks it, so that a wrong file has an error text. */
export function DocumentField({ file, error, onPick, sent, onCancel }: DocumentFieldProps) {
  const t = useAuthText()
  const [dragged, setDragged] = useState(false)
  const Icon = file ? IconFileTypePdf : IconUpload

  const pick = (files: FileList | null) => {
    const first = files?.[0]
    if (first) onPick(first)
  }
  const drag = (over: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setDragged(over)
  }
  const drop = (event: DragEvent) => {
    drag(false)(event)
    pick(event.dataTransfer.files)
  }
  return (
    <Field label={t('document')} error={error} isGroup>
      {(control) => (
        <>
          <label
            className={`${styles.drop} ${row('centre')}`}
            data-dragged={dragged}
            data-invalid={error !== undefined}
            onDragEnter={drag(true)}
            onDragOver={drag(true)}
            onDragLeave={drag(false)}
            onDrop={drop}
          >
            <input
              type="file"
              {...control}
              accept="application/pdf,.pdf"
              aria-label={t('documentField')}
              data-path="document"
              onChange={(event) => {
                pick(event.currentTarget.files)
                // Otherwise the browser would not report that the same file, corrected meanwhile, is chosen again.
                event.currentTarget.value = ''
              }}
            />
            <Icon size={26} stroke={1.75} aria-hidden />
            <span>
              <b className={font('medium', 'anywhere')}>{file ? file.name : t('dropDocument')}</b>
              <small className={font('sm', 'quiet')}>
                {file ? t('replaceDocument', { size: sizeText(file.size) }) : t('documentLimit')}
              </small>
            </span>
          </label>
          {sent !== null && <UploadProgress sent={sent} onCancel={onCancel} />}
        </>
      )}
    </Field>
  )
}

interface UploadProgressProps {
  readonly sent: number
  readonly onCancel: () => void
}

function UploadProgress({ sent, onCancel }: UploadProgressProps) {
  const t = useAuthText()
  return (
    <div className={`${styles.upload} ${row('centre', 'gap12')} ${font('sm', 'quiet', 'numbers')}`}>
      <progress value={sent} aria-label={t('documentUpload')} />
      <span>{sent < 1 ? `${Math.floor(sent * 100)} %` : t('checkingDocument')}</span>
      <button type="button" className={textLinkClass} disabled={sent === 1} onClick={onCancel}>
        {t('cancelUpload')}
      </button>
    </div>
  )
}
