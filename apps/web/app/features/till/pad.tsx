import { IconBackspace } from '../../components/icons.ts'
import { font } from '../../components/ui/classes.ts'
import { useTillText } from './text.ts'
import styles from './till.module.css'
import { DELETE, type PadKey } from './typing.ts'

interface PadProps {
  /** The tenth key. */
  readonly extra: '.' | '+'
  readonly onKey: (key: PadKey) => void
}

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9']

export function Pad({ extra, onKey }: PadProps) {
  const t = useTillText()
  const key = (value: PadKey, label?: string) => (
    <button
      key={value}
      type="button"
      className={`${styles.key} ${font('xl', 'medium', 'strong', 'numbers')}`}
      aria-label={label}
      onClick={() => onKey(value)}
    >
      {value === DELETE ? <IconBackspace size={24} stroke={1.75} aria-hidden /> : value}
    </button>
  )
  return (
    <div className={styles.pad}>
      {digits.map((digit) => key(digit))}
      {key(extra, t(extra === '.' ? 'tillPoint' : 'tillPlus'))}
      {key('0')}
      {key(DELETE, t('tillDelete'))}
    </div>
  )
}
