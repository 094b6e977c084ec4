import { Input } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { useId } from 'react'
import { IconFileTypePdf, IconUpload } from '../../components/icons.ts'
import styles from './auth.module.css'

interface DocumentFieldProps {
  readonly file: File | null
  readonly error: string | undefined
  readonly onPick: (file: File) => void
}

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} kB`
    : `${(bytes / (1024 * 1024)).toLocaleString('en-US', { maximumFractionDigits: 1 })} MB`

/** Takes any file and lets the form judge it, so that a wrong one is answered in words. */
export function DocumentField({ file, error, onPick }: DocumentFieldProps) {
  const id = useId()
  const inputProps = {
    id,
    accept: 'application/pdf,.pdf',
    tabIndex: 0,
    'aria-label': 'Identification document, a PDF smaller than 10 MB',
    'aria-invalid': error !== undefined,
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    'data-path': 'document',
  }
  const Icon = file ? IconFileTypePdf : IconUpload
  return (
    <Input.Wrapper id={id} label="Identification document" labelElement="div" error={error} size="md">
      <Dropzone
        className={styles.drop}
        mt={6}
        mb={error === undefined ? 0 : 5}
        multiple={false}
        enablePointerEvents
        data-invalid={error !== undefined}
        // The file input itself takes the focus: a browser's own control is better known to a screen reader.
        tabIndex={-1}
        activateOnKeyboard={false}
        inputProps={inputProps}
        onDrop={([first]) => first && onPick(first)}
      >
        <div className={styles.dropInner}>
          <Icon size={26} stroke={1.75} aria-hidden />
          <div>
            <b>{file ? file.name : 'Click to upload or drag and drop'}</b>
            <small>{file ? `${sizeText(file.size)} · click to replace` : 'PDF, smaller than 10 MB'}</small>
          </div>
        </div>
      </Dropzone>
    </Input.Wrapper>
  )
}
