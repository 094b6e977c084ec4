import { useEffect, useRef, useState } from 'react'
import { TextField, type TextFieldProps } from './ui/field.tsx'

interface TypedFilterProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'error'> {
  readonly value: string | undefined
  /** Called after a pause in typing, with an empty text for an invalid one. */
  readonly onEntered: (value: string) => void
  readonly accepts?: (value: string) => boolean
  /** The error of an invalid text. */
  readonly invalidText?: string
  /** The server's refusal of an accepted text. */
  readonly refusal?: string | undefined
}

const PAUSE_MS = 300

export function TypedFilter({
  value = '',
  onEntered,
  accepts = () => true,
  invalidText,
  refusal,
  ...input
}: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const [isInvalid, setIsInvalid] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const entered = useRef(value)
  useEffect(() => {
    // Only a change from outside (a cleared filter, the back button) overwrites the user's input.
    if (value !== entered.current) {
      clearTimeout(timer.current)
      timer.current = undefined
      setTyped(value)
      setIsInvalid(false)
    }
    entered.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function enter(text: string) {
    clearTimeout(timer.current)
    timer.current = undefined
    const invalid = text !== '' && !accepts(text)
    setIsInvalid(invalid)
    entered.current = invalid ? '' : text
    onEntered(entered.current)
  }
  return (
    <TextField
      {...input}
      value={typed}
      error={isInvalid ? invalidText : refusal}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => enter(text.trim()), PAUSE_MS)
      }}
      // A user who leaves the field has finished typing, and the sheet may close before the pause is over.
      onBlur={() => timer.current !== undefined && enter(typed.trim())}
    />
  )
}
