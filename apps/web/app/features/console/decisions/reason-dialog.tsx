import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useErrorText, useRefusedFieldTexts } from '../../../api/api-error.ts'
import { Button } from '../../../components/ui/button.tsx'
import { font, grid, notice } from '../../../components/ui/classes.ts'
import { Dialog, DialogFoot } from '../../../components/ui/dialog.tsx'
import { AreaField } from '../../../components/ui/field.tsx'
import { useCommonText } from '../../../lib/page-text.ts'
import { useConsoleText } from '../text.ts'

const MOST_CHARACTERS = 300

interface ReasonDialogProps {
  readonly opened: boolean
  readonly title: string
  /** The consequence of the act. */
  readonly text: string
  readonly help: string
  readonly verb: string
  readonly danger?: boolean
  readonly running: boolean
  readonly error: Error | null
  readonly onClose: () => void
  readonly onReason: (reason: string) => void
  /** Checks the further fields, whose errors are shown with that of the reason. */
  readonly onTry?: () => boolean
  /** The further fields that show the server's refusal themselves. */
  readonly fieldNames?: readonly string[]
  /** Further fields above the reason. */
  readonly children?: ReactNode
}

/** Asks for the reason of an act. Typed text stays when the dialog is closed, and when the act is refused. */
export function ReasonDialog(props: ReasonDialogProps) {
  const {
    opened,
    title,
    text,
    help,
    verb,
    danger,
    running,
    error,
    onClose,
    onReason,
    onTry,
    fieldNames = [],
    children,
  } = props
  const t = useConsoleText()
  const common = useCommonText()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [attempts, setAttempts] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each try and each refusal has errors of its own
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [attempts, error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (running) return
    const isEmpty = reason.trim() === ''
    setMissing(isEmpty)
    setAttempts(attempts + 1)
    if ((onTry?.() ?? true) && !isEmpty) onReason(reason.trim())
  }
  const refused = useRefusedFieldTexts()(error)
  const names = Object.keys(refused)
  const isBeside = names.length > 0 && names.every((name) => name === 'reason' || fieldNames.includes(name))
  return (
    <Dialog opened={opened} title={title} closesBy="escape" running={running} onClose={onClose}>
      <form ref={form} noValidate className={grid('gap20')} onSubmit={submit}>
        <p className={font('pretty')}>{text}</p>
        {children}
        <AreaField
          data-autofocus
          label={t('reason')}
          help={help}
          error={isMissing ? t('reasonMissing') : refused.reason}
          rows={3}
          maxLength={MOST_CHARACTERS}
          value={reason}
          onChange={(event) => {
            setReason(event.currentTarget.value)
            setMissing(false)
          }}
        />
        {!isBeside && <Refused error={error} />}
        <DialogFoot>
          <Button submit kind={danger ? 'danger' : 'primary'} running={running} runningLabel={t('working')}>
            {verb}
          </Button>
          <Button kind="default" running={running} onClick={onClose}>
            {common('cancel')}
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

/** The sentence for a refused act. */
export function Refused({ error }: { readonly error: Error | null }) {
  const errorText = useErrorText()
  return (
    error && (
      <p role="alert" className={notice('failure')}>
        {errorText(error)}
      </p>
    )
  )
}
