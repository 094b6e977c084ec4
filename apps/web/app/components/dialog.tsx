import { Modal, type ModalProps } from '@mantine/core'
import { useCommonText } from '../lib/common-text.ts'
import { busy } from '../lib/forms.ts'

interface DialogProps extends ModalProps {
  /** Whether a request runs, during which the dialog stays open. */
  readonly running?: boolean
}

/** A dialog whose closing button has a name in the page's language. */
export function Dialog({ running = false, ...modal }: DialogProps) {
  const t = useCommonText()
  return (
    <Modal closeButtonProps={{ 'aria-label': t('closeDialog'), size: 'lg', ...busy(running) }} {...modal} />
  )
}
