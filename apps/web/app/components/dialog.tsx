import { Group, Modal, type ModalProps } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { busyProps } from '../lib/forms.ts'
import { useCommonText } from '../lib/page-text.ts'
import { BusyButton, SubmitButton } from './button.tsx'

interface DialogProps extends ModalProps {
  /** Whether a request runs, during which the dialog cannot be closed. */
  readonly running?: boolean
}

/** A dialog whose closing button has a name in the page's language. */
export function Dialog({ running = false, onClose, ...modal }: DialogProps) {
  const t = useCommonText()
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('closeDialog'), size: 'lg', ...busyProps(running) }}
      onClose={() => running || onClose()}
      {...modal}
    />
  )
}

/** The last value that was not null. A dialog shows it while it fades out. */
export function useLastValue<T>(value: T | null): T | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}

interface FormActionsProps {
  readonly running: boolean
  /** The label of the submit button while the request runs. */
  readonly runningLabel: string
  readonly color?: 'danger' | undefined
  readonly onCancel: () => void
  /** The label of the submit button. */
  readonly children: string
}

/** The two buttons of a form in a dialog. */
export function FormActions({ running, runningLabel, color, onCancel, children }: FormActionsProps) {
  const t = useCommonText()
  return (
    <Group justify="flex-end">
      <BusyButton variant="default" running={running} onClick={onCancel}>
        {t('cancel')}
      </BusyButton>
      <SubmitButton {...(color && { color })} running={running} runningLabel={runningLabel}>
        {children}
      </SubmitButton>
    </Group>
  )
}

interface ConfirmDialogProps {
  readonly opened: boolean
  readonly title: string
  readonly confirm: string
  /** The button's text while the request runs. */
  readonly confirming: string
  readonly running: boolean
  readonly color?: 'danger'
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Explains an action and asks for confirmation. */
export function ConfirmDialog({
  opened,
  title,
  confirm,
  confirming,
  running,
  color,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const t = useCommonText()
  return (
    <Dialog opened={opened} onClose={onClose} title={title} size={480} running={running}>
      {children}
      <Group justify="flex-end" mt={24}>
        <BusyButton variant="default" running={running} onClick={onClose}>
          {t('cancel')}
        </BusyButton>
        <BusyButton {...(color && { color })} running={running} runningLabel={confirming} onClick={onConfirm}>
          {confirm}
        </BusyButton>
      </Group>
    </Dialog>
  )
}
