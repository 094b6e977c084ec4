import styles from './field.module.css'
import { TextField, type TextFieldProps } from './field.tsx'

interface ColourFieldProps extends Omit<TextFieldProps, 'type' | 'end'> {
  readonly value: string
  /** The name of the browser's picker, for screen readers. */
  readonly pickerLabel: string
}

/** A colour as text, beside the browser's own picker. */
export function ColourField({ pickerLabel, ...field }: ColourFieldProps) {
  const { value, onChange } = field
  // Black for any other text, which browsers refuse with a warning.
  const picked = /^#[\da-f]{6}$/i.test(value) ? value : '#'.padEnd(7, '0')
  return (
    <TextField
      {...field}
      end={
        <input
          type="color"
          className={styles.picker}
          aria-label={pickerLabel}
          value={picked}
          onChange={onChange}
        />
      }
    />
  )
}
