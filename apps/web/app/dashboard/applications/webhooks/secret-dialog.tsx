import { Button, Group, Modal } from '@mantine/core'
import { useState } from 'react'
import { CopyButton } from '../../../ui/copy-button.tsx'
import facts from '../facts.module.css'
import { Fact, Facts } from '../facts.tsx'
import { Note } from '../note.tsx'
import type { NewSecret } from './webhooks-api.ts'

interface SecretDialogProps {
  readonly made: NewSecret | null
  readonly onClose: () => void
}

/** The one time that a secret is shown. */
export function SecretDialog({ made, onClose }: SecretDialogProps) {
  // What was shown stays on the dialog while it fades.
  const [shown, setShown] = useState(made)
  if (made && made !== shown) setShown(made)
  return (
    <Modal
      opened={made !== null}
      onClose={onClose}
      title="Signing Secret"
      size={560}
      closeOnClickOutside={false}
      closeOnEscape={false}
    >
      <p>Your server checks with it that an event is from us. Keep it where you keep your application key.</p>
      <Facts>
        <Fact name="Signing secret">
          <span className={facts.key}>
            <code>{shown?.secret}</code>
            <CopyButton text={shown?.secret ?? ''} what="signing secret" />
          </span>
        </Fact>
      </Facts>
      <Note>It is shown this once. If you lose it, rotate the secret.</Note>
      <Group justify="flex-end" mt={24}>
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Modal>
  )
}
