import { Button } from '@mantine/core'
import type { Passkey } from '@muripo/contract/passkeys'
import { dateText } from '../../../lib/format.ts'
import { IconFingerprint } from '../../../ui/icons.ts'
import panel from '../../../ui/panel.module.css'
import { useTimeZone } from '../../account.ts'
import rows from '../rows.module.css'

interface PasskeyRowProps {
  readonly passkey: Passkey
  readonly onRename: (passkey: Passkey) => void
  readonly onRemove: (passkey: Passkey) => void
}

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, synced, createdAt, lastUsedAt } = passkey
  const timeZone = useTimeZone()
  const facts = [
    `Added ${dateText(createdAt, timeZone)}`,
    lastUsedAt === null ? 'Never used' : `Last used ${dateText(lastUsedAt, timeZone)}`,
    ...(synced ? ['Synced across your devices'] : []),
  ]
  const button = panel.rowButton ?? ''
  return (
    <li className={rows.row}>
      <span className={rows.icon}>
        <IconFingerprint size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={rows.words}>
        <p className={rows.name}>{name}</p>
        <p className={rows.facts}>{facts.join(' · ')}</p>
      </div>
      <div className={rows.actions}>
        <Button
          variant="default"
          size="sm"
          className={button}
          aria-label={`Rename ${name}`}
          onClick={() => onRename(passkey)}
        >
          Rename
        </Button>
        <Button
          variant="default"
          size="sm"
          className={button}
          aria-label={`Remove ${name}`}
          onClick={() => onRemove(passkey)}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}
