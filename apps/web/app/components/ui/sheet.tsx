import { useState } from 'react'
import { useDashboardText } from '../../lib/dashboard-text.ts'
import { Confirm } from './confirm.tsx'
import { type DialogProps, PlacedDialog } from './dialog.tsx'

interface SheetProps extends Omit<DialogProps, 'closesBy'> {
  /** Whether something was entered that a closing would lose. */
  readonly dirty?: boolean
}

/** For making and editing with the list in view: at the right, and on a phone from below. Asks before input is lost. */
export function Sheet({ dirty = false, onClose, ...sheet }: SheetProps) {
  const t = useDashboardText()
  const [isConfirming, setConfirming] = useState(false)
  return (
    <>
      <PlacedDialog {...sheet} place="sheet" onClose={() => (dirty ? setConfirming(true) : onClose())} />
      <Confirm
        opened={sheet.opened && isConfirming}
        title={t('discardTitle')}
        verb={t('discard')}
        working={t('discard')}
        running={false}
        danger
        onConfirm={() => {
          setConfirming(false)
          onClose()
        }}
        onClose={() => setConfirming(false)}
      >
        <p>{t('discardEffect')}</p>
      </Confirm>
    </>
  )
}
