import './kit.css'
import { Button, Group, Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { signOutNow } from '../lib/session/session.ts'

interface SignOutDialogProps {
  readonly opened: boolean
  readonly onClose: () => void
}

const SIGN_OUT_DELAY_MS = 1000

export default function SignOutDialog({ opened, onClose }: SignOutDialogProps) {
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => {
      setLeaving(false)
      onClose()
      signOutNow()
    }, SIGN_OUT_DELAY_MS)
    return () => clearTimeout(timer)
  }, [leaving, onClose])

  return (
    <Modal
      opened={opened}
      onClose={() => leaving || onClose()}
      title="Sign Out"
      size={420}
      withCloseButton={!leaving}
      closeOnEscape={!leaving}
      closeOnClickOutside={!leaving}
    >
      <p>Are you sure you want to sign out?</p>
      <Group justify="flex-end" mt={24}>
        <Button variant="default" onClick={onClose} disabled={leaving}>
          Cancel
        </Button>
        <Button color="dark" onClick={() => setLeaving(true)} disabled={leaving}>
          {leaving ? 'Signing out...' : 'Sign Out'}
        </Button>
      </Group>
    </Modal>
  )
}
