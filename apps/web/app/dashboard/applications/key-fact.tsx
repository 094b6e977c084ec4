import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './facts.module.css'

interface KeyFactProps {
  readonly applicationKey: string
  readonly name?: string
  readonly hint?: string
}

/** A key, to be taken along. */
export const KeyFact = ({ applicationKey, name = 'Application Key', hint }: KeyFactProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={styles.key}>
      <code>{applicationKey}</code>
      <CopyButton text={applicationKey} what={name.toLowerCase()} />
    </dd>
    {hint && <dd className={styles.hint}>{hint}</dd>}
  </div>
)
