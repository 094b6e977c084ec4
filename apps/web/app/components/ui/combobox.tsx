import { type KeyboardEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { IconX } from '../icons.ts'
import styles from './combobox.module.css'
import { FieldButton, TextField, type TextFieldProps } from './field.tsx'

interface ComboboxProps extends Omit<TextFieldProps, 'value' | 'onChange' | 'end' | 'onSelect'> {
  /** The text of the field. */
  readonly value: string
  /** Those that the text finds. */
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly chosen: string
  readonly listLabel: string
  /** In the place of an empty list. */
  readonly emptyText: string
  readonly onType: (text: string) => void
  readonly onChoose: (value: string) => void
  readonly onOpen?: () => void
  readonly onClose?: () => void
  readonly clear?: { readonly label: string; readonly onClear: () => void }
}

const LIST_HEIGHT = 248

/** The vertical space around an element that its window, or a part that scrolls, shows. */
function roomAround(element: Element): { readonly above: number; readonly below: number } {
  let [top, bottom] = [0, window.innerHeight]
  for (let part = element.parentElement; part; part = part.parentElement) {
    if (getComputedStyle(part).overflowY === 'visible') continue
    const box = part.getBoundingClientRect()
    top = Math.max(top, box.top)
    bottom = Math.min(bottom, box.bottom)
  }
  const box = element.getBoundingClientRect()
  return { above: box.top - top, below: bottom - box.bottom }
}

/** A field with a list of choices that its text searches. The focus stays in the field. */
export function Combobox(props: ComboboxProps) {
  const { choices, chosen, listLabel, emptyText, onType, onChoose, onOpen, onClose, clear, ...field } = props
  const listId = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [isAbove, setIsAbove] = useState(false)
  const [active, setActive] = useState(-1)
  const place = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const open = () => {
    if (isOpen) return
    const { above, below } = place.current ? roomAround(place.current) : { above: 0, below: LIST_HEIGHT }
    setIsAbove(below < LIST_HEIGHT && above > below)
    setActive(-1)
    setIsOpen(true)
    onOpen?.()
  }
  const close = () => {
    if (!isOpen) return
    setIsOpen(false)
    onClose?.()
  }
  const choose = (value: string) => {
    onChoose(value)
    close()
  }
  // A long list opens at the chosen option, and follows the arrow keys. The page does not move.
  useLayoutEffect(() => {
    const box = list.current
    const option = box?.querySelector<HTMLElement>(active < 0 ? '[aria-selected=true]' : '[data-active]')
    if (!box || !isOpen || !option) return
    const over = option.offsetTop + option.offsetHeight - box.clientHeight
    if (active < 0 || box.scrollTop < over) box.scrollTop = over
    if (option.offsetTop < box.scrollTop) box.scrollTop = option.offsetTop
  }, [isOpen, active])

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      if (!isOpen) return open()
      const from = active < 0 && step < 0 ? 0 : active
      if (choices.length > 0) setActive((from + step + choices.length) % choices.length)
    } else if (event.key === 'Enter' && isOpen) {
      const found = choices[active]
      // An empty list has nothing to submit.
      if (found || choices.length === 0) event.preventDefault()
      if (found) choose(found.value)
    } else if (event.key === 'Escape' && isOpen) {
      // The dialog around stays open.
      event.preventDefault()
      event.nativeEvent.stopPropagation()
      close()
    }
  }
  return (
    <div ref={place} className={styles.place}>
      <TextField
        {...field}
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
        onChange={(event) => {
          onType(event.currentTarget.value)
          open()
          setActive(-1)
        }}
        onClick={open}
        onFocus={(event) => {
          event.currentTarget.select()
          open()
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
        end={
          clear && (
            <FieldButton
              aria-label={clear.label}
              onMouseDown={(event) => event.preventDefault()}
              onClick={clear.onClear}
            >
              <IconX size={18} stroke={1.75} aria-hidden />
            </FieldButton>
          )
        }
      />
      {isOpen && (
        <div
          ref={list}
          role="listbox"
          id={listId}
          aria-label={listLabel}
          className={styles.list}
          data-above={isAbove || undefined}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
        >
          {choices.length === 0 && <p>{emptyText}</p>}
          {choices.map(({ value, label }, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
            <div
              key={value}
              role="option"
              id={`${listId}-${index}`}
              aria-selected={value === chosen}
              data-active={index === active || undefined}
              onClick={() => choose(value)}
            >
              {label}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
