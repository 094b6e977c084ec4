import type { ReactNode } from 'react'
import styles from './field.module.css'
import { Field, type FieldProps, split } from './field.tsx'

interface ChoiceCardsProps<Value extends string> extends FieldProps {
  readonly name: string
  readonly choices: readonly {
    readonly value: Value
    readonly label: string
    /** One sentence. With it the cards are below each other. */
    readonly help?: string
    /** An addition to the chosen card. */
    readonly more?: ReactNode
  }[]
  /** Null while none is chosen. */
  readonly value: Value | null
  readonly onChange: (value: Value) => void
  readonly 'data-path'?: string
}

/** Radio buttons as large as cards: beside each other where there is room, or each with a sentence. */
export function ChoiceCards<Value extends string>(props: ChoiceCardsProps<Value>) {
  const { field, control } = split(props)
  const { name, choices, value, onChange, 'data-path': path } = control
  return (
    <Field {...field} isGroup>
      {({ id, ...state }) => (
        <div role="radiogroup" aria-labelledby={`${id}-label`} className={styles.cards} {...state}>
          {choices.map(({ value: each, label, help, more }, index) => (
            <div key={each} className={styles.card} data-detailed={help !== undefined || undefined}>
              <label>
                <input
                  type="radio"
                  name={name}
                  value={each}
                  checked={each === value}
                  data-path={index === 0 ? path : undefined}
                  aria-labelledby={`${id}-${each}`}
                  aria-describedby={help && `${id}-${each}-help`}
                  onChange={() => onChange(each)}
                />
                <span>
                  <span id={`${id}-${each}`}>{label}</span>
                  {help && (
                    <small id={`${id}-${each}-help`} className={styles.help}>
                      {help}
                    </small>
                  )}
                </span>
              </label>
              {each === value && more}
            </div>
          ))}
        </div>
      )}
    </Field>
  )
}
