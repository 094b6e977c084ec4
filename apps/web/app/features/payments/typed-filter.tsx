import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

interface TypedFilterProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  readonly value: string | undefined
  /** Called after a pause in typing, with an empty text for an invalid one. */
  readonly onSettle: (value: string) => void
  readonly accepts?: (value: string) => boolean
  /** The error of an invalid text. */
  readonly complaint?: string
  /** The server's refusal of an accepted text. */
  readonly problem?: string | undefined
}

const PAUSE_MS = 300

export function TypedFilter({
  value = '',
  onSettle,
  accepts = () => true,
  complaint,
  problem,
  ...input
}: TypedFilterProps) {
  const [typed, setTyped] = useState(value)
  const [refused, setRefused] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const settled = useRef(value)
  useEffect(() => {
    // Only a change from outside (a cleared filter, the back button) overwrites the user's input.
    if (value !== settled.current) {
      clearTimeout(timer.current)
      setTyped(value)
      setRefused(false)
    }
    settled.current = value
  }, [value])
  useEffect(() => () => clearTimeout(timer.current), [])

  function settle(text: string) {
    const wrong = text !== '' && !accepts(text)
    setRefused(wrong)
    settled.current = wrong ? '' : text
    onSettle(settled.current)
  }
  return (
    <TextInput
      {...input}
      value={typed}
      error={refused ? complaint : problem}
      onChange={(event) => {
        const text = event.currentTarget.value
        setTyped(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => settle(text.trim()), PAUSE_MS)
      }}
    />
  )
}
