import { useId } from 'react'
import { IconDeviceDesktop, IconMoon, IconSun } from '../../components/icons.ts'
import { chooseScheme, type SchemeChoice, useSchemeChoice } from '../color-scheme.ts'
import styles from './appearance.module.css'

const choices: readonly { value: SchemeChoice; label: string; icon: typeof IconSun }[] = [
  { value: 'light', label: 'Light', icon: IconSun },
  { value: 'dark', label: 'Dark', icon: IconMoon },
  { value: 'system', label: 'System', icon: IconDeviceDesktop },
]

export function Appearance() {
  const chosen = useSchemeChoice()
  const name = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>Appearance</legend>
      {choices.map(({ value, label, icon: Icon }) => (
        <label key={value} className={styles.option} title={label}>
          <input
            type="radio"
            name={name}
            aria-label={label}
            checked={chosen === value}
            onChange={() => chooseScheme(value)}
          />
          <Icon size={18} stroke={1.75} aria-hidden />
        </label>
      ))}
    </fieldset>
  )
}
