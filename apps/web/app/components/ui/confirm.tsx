import type { ReactNode } from 'react'
import { useCommonText } from '../../lib/page-text.ts'
import { Button } from './button.tsx'
import { DialogFoot, PlacedDialog } from './dialog.tsx'

interface ConfirmProps {
  readonly opened: boolean
  readonly title: string
  /** The act, on its button. */
  readonly verb: string
  /** The button's text while the request runs. */
  readonly working: string
  readonly running: boolean
  readonly danger?: boolean
  /** The name of the closing button; null without one. */
  readonly closeLabel?: string | null
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** The consequence of the act. */
  readonly children: ReactNode
}

/** Asks before something that cannot be undone. It cannot be dismissed while the request runs. */
export function Confirm({ verb, working, danger, onConfirm, children, ...dialog }: ConfirmProps) {
  const t = useCommonText()
  const { running, onClose } = dialog
  return (
    <PlacedDialog {...dialog} place="small">
      {children}
      <DialogFoot>
        <Button
          kind={danger ? 'danger' : 'primary'}
          running={running}
          runningLabel={working}
          onClick={onConfirm}
        >
          {verb}
        </Button>
        <Button kind="default" running={running} onClick={onClose}>
          {t('cancel')}
        </Button>
      </DialogFoot>
    </PlacedDialog>
  )
}
