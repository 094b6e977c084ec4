import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import styles from './menu.module.css'

export interface MenuItem {
  readonly name: string
  readonly label: ReactNode
  readonly danger?: boolean
  /** Whether it is the present one of a choice. */
  readonly current?: boolean
  readonly onChoose: () => void
}

interface MenuProps {
  /** The name of the list, for screen readers. */
  readonly label: string
  readonly items: readonly MenuItem[]
  /** The text above the items. */
  readonly title?: string
  readonly className?: string | undefined
  readonly 'aria-label'?: string
  readonly onOpen?: () => void
  /** The content of the button. */
  readonly children: ReactNode
}

const GAP = 4
const EDGE = 8

/** Places the list below its button, or above it, inside of the window. The containing block of a fixed element may be another one. */
function placeList(list: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  list.style.translate = ''
  list.style.minWidth = `${at.width}px`
  const box = list.getBoundingClientRect()
  const below = at.bottom + GAP
  const top = below + box.height > innerHeight - EDGE ? Math.max(EDGE, at.top - GAP - box.height) : below
  const isWide = at.width > box.width / 2
  const left = Math.min(isWide ? at.left : at.right - box.width, innerWidth - EDGE - box.width)
  list.style.translate = `${Math.max(EDGE, left) - box.left}px ${top - box.top}px`
}

/** A button with a list of acts, by the pattern of ARIA: the arrows move in it, Escape and a press elsewhere close it. */
export function Menu({ label, items, title, className, onOpen, children, ...named }: MenuProps) {
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)

  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const close = ({ keepsFocus = false } = {}) => {
    setIsOpen(false)
    if (keepsFocus) button.current?.focus({ preventScroll: true })
  }
  useLayoutEffect(() => {
    if (!isOpen || !list.current || !button.current) return
    placeList(list.current, button.current)
    const entry =
      list.current.querySelector<HTMLElement>('[aria-checked=true]') ??
      list.current.querySelector<HTMLElement>('[role^=menuitem]')
    entry?.focus({ preventScroll: true })
  }, [isOpen])
  const onElsewhere = useEffectEvent(({ target }: Event) => {
    const isInside = (part: HTMLElement | null) => target instanceof Node && part?.contains(target)
    if (!isInside(list.current) && !isInside(button.current)) close()
  })
  useEffect(() => {
    if (!isOpen) return
    const listener = (event: Event) => onElsewhere(event)
    // The page may still scroll after the press that opened the menu.
    const follow = () => list.current && button.current && placeList(list.current, button.current)
    const names = ['scroll', 'resize']
    window.addEventListener('pointerdown', listener, { capture: true })
    for (const name of names) window.addEventListener(name, follow, { capture: true })
    return () => {
      window.removeEventListener('pointerdown', listener, { capture: true })
      for (const name of names) window.removeEventListener(name, follow, { capture: true })
    }
  }, [isOpen])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key } = event
    const all = entries()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[key]
    if (key === 'Tab') return close({ keepsFocus: true })
    if (key !== 'Escape' && next === undefined) return
    event.preventDefault()
    // The dialog around stays open.
    if (key === 'Escape') event.nativeEvent.stopPropagation()
    if (key === 'Escape') close({ keepsFocus: true })
    else all.at((next as number) % all.length)?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => {
          if (!isOpen) onOpen?.()
          setIsOpen(!isOpen)
        }}
        {...named}
      >
        {children}
      </button>
      {isOpen &&
        createPortal(
          <div
            ref={list}
            id={id}
            role="menu"
            aria-label={label}
            className={styles.menu}
            tabIndex={-1}
            onKeyDown={onKeyDown}
          >
            {title && (
              <p className={styles.title} aria-hidden>
                {title}
              </p>
            )}
            {items.map(({ name, label: text, danger, current, onChoose }) => (
              <button
                key={name}
                type="button"
                {...(current === undefined
                  ? { role: 'menuitem' }
                  : { role: 'menuitemradio', 'aria-checked': current })}
                tabIndex={-1}
                className={styles.item}
                data-danger={danger || undefined}
                onClick={() => {
                  close({ keepsFocus: true })
                  onChoose()
                }}
              >
                {text}
              </button>
            ))}
          </div>,
          button.current?.closest('dialog') ?? document.querySelector('main') ?? document.body,
        )}
    </>
  )
}
