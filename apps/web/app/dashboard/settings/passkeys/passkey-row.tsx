import { Button } from '@mantine/core'
import type { Passkey } from '@muripo/contract/passkeys'
import { dateText } from '../../../lib/format.ts'
import { IconFingerprint } from '../../../ui/icons.ts'
import panel from '../../../ui/panel.module.css'
import { useTimeZone } from '../../account.ts'
import styles from './passkeys.module.css'

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
  const row = panel.rowButton ?? ''
  return (
    <li className={styles.row}>
      <span className={styles.icon}>
        <IconFingerprint size={20} stroke={1.75} aria-hidden />
      </span>
      <div className={styles.words}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>{facts.join(' · ')}</p>
      </div>
      <div className={styles.actions}>
        <Button
          variant="default"
          size="sm"
          className={row}
          aria-label={`Rename ${name}`}
          onClick={() => onRename(passkey)}
        >
          Rename
        </Button>
        <Button
          variant="default"
          size="sm"
          className={row}
          aria-label={`Remove ${name}`}
          onClick={() => onRemove(passkey)}
        >
          Remove
        </Button>
      </div>
    </li>
  )
}
