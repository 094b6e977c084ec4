import { CopyButton } from '../../components/copy-button.tsx'
import facts from '../../components/facts.module.css'

interface KeyFactProps {
  readonly name: string
  readonly hint?: string
  /** The key. */
  readonly children: string
}

/** A key with a button that copies it. */
export const KeyFact = ({ name, hint, children }: KeyFactProps) => (
  <div>
    <dt>{name}</dt>
    <dd className={facts.key}>
      <code>{children}</code>
      <CopyButton text={children} what="key" />
    </dd>
    {hint && <dd className={facts.hint}>{hint}</dd>}
  </div>
)
