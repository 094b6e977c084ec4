import { useState } from 'react'
import { Link } from 'react-router'
import { IconPlus } from '../../components/icons.ts'
import { Button, ButtonLink } from '../../components/ui/button.tsx'
import { iconButtonClass, row, textLinkClass } from '../../components/ui/classes.ts'
import { Confirm } from '../../components/ui/confirm.tsx'
import { CopyButton, CopyIcon } from '../../components/ui/copy-button.tsx'
import { Dialog, FormFoot } from '../../components/ui/dialog.tsx'
import { Menu } from '../../components/ui/menu.tsx'
import { QrCode } from '../../components/ui/qr-code.tsx'
import { Segment } from '../../components/ui/segment.tsx'
import { Sheet } from '../../components/ui/sheet.tsx'
import { Part } from './part.tsx'

const kinds = ['primary', 'default', 'plain', 'danger-quiet', 'danger'] as const

/** The corners of the smallest code. */
const corners = {
  size: 21,
  path: [
    [0, 0],
    [14, 0],
    [0, 14],
  ]
    .map(([x, y]) => `M${x} ${y}h7v7h-7zm1 1v5h5v-5zm1 1h3v3h-3z`)
    .join(''),
}

export const ButtonParts = ({ scheme }: { readonly scheme: string }) => (
  <Part name="Button, ButtonLink, CopyButton, CopyIcon, textLinkClass, iconButtonClass, QrCode, Segment">
    {kinds.map((kind) => (
      <div key={kind} className={row('wrap', 'centre', 'gap12')}>
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
    <div className={row('wrap', 'centre', 'gap12')}>
      <ButtonLink to="/dev/parts">Link</ButtonLink>
      <ButtonLink to="/dev/parts" kind="default">
        Link
      </ButtonLink>
      <CopyButton text="copied" what="sample" />
      <CopyIcon text="copied" what="sample" />
    </div>
    <QrCode drawing={corners} label={`QR code (${scheme})`} />
    <Button block>block</Button>
    <Menu
      label={`Menu (${scheme})`}
      title="Menu"
      className={textLinkClass}
      items={[
        { name: 'change', label: 'Change', onChoose: () => {} },
        { name: 'remove', label: 'Remove', danger: true, onChoose: () => {} },
      ]}
    >
      Open the menu
    </Menu>
    <div className={row('wrap', 'centre', 'gap12')}>
      <Link to="/dev/parts" className={textLinkClass}>
        textLinkClass
      </Link>
      <button type="button" aria-disabled className={textLinkClass}>
        disabled
      </button>
      <button type="button" aria-label={`iconButtonClass (${scheme})`} className={iconButtonClass}>
        <IconPlus size={20} stroke={1.75} aria-hidden />
      </button>
      {['Light', 'Dark'].map((value, index) => (
        <Segment key={value} name={`segment-${scheme}`} defaultChecked={index === 0}>
          {value}
        </Segment>
      ))}
    </div>
  </Part>
)

type Opened = 'dialog' | 'confirm' | 'sheet' | null

export function DialogParts({ scheme }: { readonly scheme: string }) {
  const [opened, setOpened] = useState<Opened>(null)
  const close = () => setOpened(null)
  return (
    <Part name="Dialog, Confirm, Sheet">
      <div className={row('wrap', 'centre', 'gap12')}>
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
