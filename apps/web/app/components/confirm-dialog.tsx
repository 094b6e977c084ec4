import { Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { useCommonText } from '../lib/common-text.ts'
import { BusyButton } from './button.tsx'
import { Dialog } from './dialog.tsx'

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

/** Explains an action and asks for confirmation. While the request runs the dialog cannot be closed. */
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
    <Dialog
      opened={opened}
      onClose={() => running || onClose()}
      title={title}
      size={480}
      closeOnEscape={!running}
      closeOnClickOutside={!running}
      running={running}
    >
      {children}
      <Group justify="flex-end" mt={24}>
        <BusyButton variant="default" running={running} onClick={onClose}>
          {t('cancel')}
        </BusyButton>
        <BusyButton
          {...(color ? { color } : {})}
          running={running}
          runningLabel={confirming}
          onClick={onConfirm}
        >
          {confirm}
        </BusyButton>
      </Group>
    </Dialog>
  )
}
