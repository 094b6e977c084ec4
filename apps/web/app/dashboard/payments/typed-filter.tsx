import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

interface TypedFilterProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string | undefined
  /** Called once typing has paused. */
  readonly onSettle: (value: string) => void
}

const PAUSE_MS = 300

export function TypedFilter({ value = '', onSettle, ...input }: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const settled = useRef(value)
  useEffect(() => {
    // Only a change from outside (a cleared filter, the back button) overwrites what is being typed.
    if (value !== settled.current) setTyped(value)
    settled.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <TextInput
      {...input}
      value={typed}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => {
          settled.current = text.trim()
          onSettle(text.trim())
        }, PAUSE_MS)
      }}
    />
  )
}
