import { PinInput } from '@mantine/core'
import { OTP_LENGTH } from '@muripo/contract/constants'
import { type ClipboardEvent, type Ref, useId } from 'react'
import styles from './auth.module.css'
import { digitsOf } from './auth-forms.ts'

interface CodeBoxesProps {
  readonly ref: Ref<HTMLDivElement>
  readonly value: string
  readonly error: string | null
  readonly onChange: (value: string) => void
}

/** Six boxes for six digits. A paste fills them whatever stands around its digits. */
export function CodeBoxes({ ref, value, error, onChange }: CodeBoxesProps) {
  const errorId = useId()
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    const digits = digitsOf(event.clipboardData.getData('text/plain'))
    if (digits === '') return
    onChange(digits)
    const boxes = event.currentTarget.closest('[role=group]')?.querySelectorAll('input')
    boxes?.[Math.min(digits.length, OTP_LENGTH - 1)]?.focus()
  }
  return (
    <div>
      <PinInput
        rootRef={ref}
        className={styles.pin}
        classNames={{ pinInput: styles.pinCell ?? '', input: styles.pinBox ?? '' }}
        length={OTP_LENGTH}
        type="number"
        size="lg"
        gap={8}
        placeholder=""
        autoFocus
        value={value}
        error={error !== null}
        aria-label="One-time code"
        aria-describedby={errorId}
        getInputProps={(index) => ({
          onPaste: paste,
          'aria-label': `One-time code, digit ${index + 1} of ${OTP_LENGTH}`,
          'aria-invalid': error !== null,
        })}
        onChange={onChange}
      />
      <p id={errorId} className={styles.error} role="alert" hidden={error === null}>
        {error}
      </p>
    </div>
  )
}
