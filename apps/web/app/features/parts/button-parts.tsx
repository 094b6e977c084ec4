import { useState } from 'react'
import { IconPlus } from '../../components/icons.ts'
import { Button, ButtonLink } from '../../components/ui/button.tsx'
import { Confirm } from '../../components/ui/confirm.tsx'
import { CopyButton, CopyIcon } from '../../components/ui/copy-button.tsx'
import { Dialog, FormFoot } from '../../components/ui/dialog.tsx'
import { Sheet } from '../../components/ui/sheet.tsx'
import { Part } from './part.tsx'
import styles from './parts.module.css'

const kinds = ['primary', 'default', 'plain', 'danger-quiet', 'danger'] as const

export const ButtonParts = () => (
  <Part name="Button, ButtonLink, CopyButton, CopyIcon">
    {kinds.map((kind) => (
      <div key={kind} className={styles.row}>
        <Button kind={kind}>{kind}</Button>
        <Button kind={kind} size="small">
          small
        </Button>
        <Button kind={kind} icon={IconPlus}>
          icon
        </Button>
        <Button kind={kind} running runningLabel="running">
          idle
        </Button>
        <Button kind={kind} disabled>
          disabled
        </Button>
      </div>
    ))}
    <div className={styles.row}>
      <ButtonLink to="/dev/parts">Link</ButtonLink>
      <ButtonLink to="/dev/parts" kind="default">
        Link
      </ButtonLink>
      <CopyButton text="copied" what="sample" />
      <CopyIcon text="copied" what="sample" />
    </div>
    <Button block>block</Button>
  </Part>
)

type Opened = 'dialog' | 'confirm' | 'sheet' | null

export function DialogParts({ scheme }: { readonly scheme: string }) {
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <Part name="Dialog, Confirm, Sheet">
      <div className={styles.row}>
        {(['dialog', 'confirm', 'sheet'] as const).map((name) => (
          <Button key={name} kind="default" onClick={() => setOpened(name)}>
            {`Open the ${name} (${scheme})`}
          </Button>
        ))}
      </div>
      <Dialog opened={opened === 'dialog'} title="Dialog" onClose={close}>
        <p>For one thing to read or to decide.</p>
        <form
          onSubmit={(event) => {
            event.preventDefault()
            close()
          }}
        >
          <FormFoot running={false} runningLabel="Saving" onCancel={close}>
            Save
          </FormFoot>
        </form>
      </Dialog>
      <Confirm
        opened={opened === 'confirm'}
        title="Remove the endpoint?"
        verb="Remove"
        working="Removing"
        running={false}
        danger
        onConfirm={close}
        onClose={close}
      >
        <p>Its deliveries end at once.</p>
      </Confirm>
      <Sheet opened={opened === 'sheet'} title="Sheet" onClose={close}>
        <p>For making and editing with the list in view.</p>
      </Sheet>
    </Part>
  )
}
