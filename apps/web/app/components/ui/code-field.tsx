import {
  type ChangeEvent,
  type ClipboardEvent,
  type InputEvent,
  type KeyboardEvent,
  useId,
  useRef,
} from 'react'
import styles from './field.module.css'

interface CodeFieldProps {
  readonly length: number
  readonly label: string
  /** The name of a box, by its place from 1. */
  readonly boxLabel: (place: number) => string
  readonly value: string
  readonly error: string | undefined
  readonly onChange: (value: string) => void
  /** The name of the field, for the first box: the form focuses it. */
  readonly 'data-path': string
}

const digitsOf = (text: string): string => text.replace(/\D/g, '')

/** A box for each digit of a code. Only the digits of a pasted text are used. */
export function CodeField(props: CodeFieldProps) {
  const { length, label, boxLabel, value, error, onChange, 'data-path': name } = props
  const errorId = useId()
  const group = useRef<HTMLDivElement>(null)
  const focus = (index: number) => {
    const boxes = group.current?.querySelectorAll('input')
    boxes?.[Math.max(0, Math.min(index, length - 1))]?.focus()
  }
  /** Replaces a digit by the typed ones. A digit that follows six others is refused. */
  const type = (index: number) => (event: ChangeEvent<HTMLInputElement>) => {
    const typed = digitsOf(event.currentTarget.value)
    const start = Math.min(index, value.length)
    onChange((value.slice(0, start) + typed + value.slice(start + 1)).slice(0, length))
    if (typed !== '') focus(start + typed.length)
  }
  /** The same digit again changes nothing, so the browser reports no change. */
  const retype = (index: number) => (event: InputEvent<HTMLInputElement>) => {
    if (event.data === '' || event.data !== value[index]) return
    event.preventDefault()
    focus(index + 1)
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault()
    const digits = digitsOf(event.clipboardData.getData('text/plain')).slice(0, length)
    if (digits === '') return
    onChange(digits)
    focus(digits.length)
  }
  const press = (index: number) => (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowLeft') focus(index - 1)
    else if (event.key === 'ArrowRight') focus(index + 1)
    else if (event.key === 'Backspace') {
      const place = index < value.length ? index : value.length - 1
      if (place >= 0) onChange(value.slice(0, place) + value.slice(place + 1))
      // The box of the last digit keeps the focus, so that another digit can be typed in its place.
      focus(index < value.length - 1 ? index - 1 : place)
    } else return
    event.preventDefault()
  }
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has its label inside */}
      <div ref={group} role="group" aria-label={label} aria-describedby={errorId} className={styles.code}>
        {Array.from({ length }, (_, index) => (
          <input
            // biome-ignore lint/suspicious/noArrayIndexKey: the boxes have no other name
            key={index}
            className={styles.frame}
            inputMode="numeric"
            // The browser offers the code of a message once.
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            // biome-ignore lint/a11y/noAutofocus: the page is for this code
            autoFocus={index === 0}
            aria-label={boxLabel(index + 1)}
            aria-invalid={error === undefined ? undefined : true}
            data-path={index === 0 ? name : undefined}
            // With all digits the browser refuses another one, except in the place of a selected digit.
            maxLength={value.length === length ? 1 : undefined}
            value={value[index] ?? ''}
            onBeforeInput={retype(index)}
            onChange={type(index)}
            onPaste={paste}
            onKeyDown={press(index)}
            onFocus={(event) => event.currentTarget.select()}
          />
        ))}
      </div>
      <p id={errorId} className={styles.error} role="alert" hidden={error === undefined}>
        {error}
      </p>
    </div>
  )
}
