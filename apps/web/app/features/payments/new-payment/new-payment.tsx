import { useState } from 'react'
import { useMay } from '../../../api/may.ts'
import { IconPlus } from '../../../components/icons.ts'
import { Button } from '../../../components/ui/button.tsx'
import { useDialogInAddress, useOpenDialog } from '../../../lib/dialog-in-address.ts'
import { usePaymentsText } from '../../../lib/payments-text.ts'
import { useDialogModule } from '../dialog-module.ts'
import type { Opened } from './draft.ts'

const nothing: Opened = { draft: {}, created: null }

/** The sheet for a new payment, whose code is loaded when it is opened first. */
export function NewPayment() {
  const { value, close } = useDialogInAddress('new')
  const isOpen = value !== null
  const [opened, setOpened] = useState(nothing)
  // The next opening is for the next payment.
  if (!isOpen && opened.created !== null) setOpened(nothing)
  const module = useDialogModule(() => import('./sheet.tsx'), { isOpen, close })
  return (
    module && <module.NewPaymentSheet isOpen={isOpen} opened={opened} onChange={setOpened} onClose={close} />
  )
}

/** Its form needs the applications, of which one receives the payment. */
export function useMayCreatePayment(): boolean {
  const mayCreate = useMay('payments.write')
  return useMay('applications.read') && mayCreate
}

export function NewPaymentButton() {
  const t = usePaymentsText()
  const open = useOpenDialog('new')
  return (
    <Button
      data-primary
      aria-haspopup="dialog"
      aria-keyshortcuts="Alt+N"
      icon={IconPlus}
      onClick={() => open('1')}
    >
      {t('newPayment')}
    </Button>
  )
}
