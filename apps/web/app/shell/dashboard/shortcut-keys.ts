import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { paths, SEARCHES } from '../../lib/paths.ts'

/** Elements in which a key has another meaning. */
const FIELDS =
  'input:not([type=radio]), textarea, select, [contenteditable], [role=dialog], [role=listbox], dialog'

const isWithAlt = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  altKey && !ctrlKey && !metaKey && !shiftKey
const isWithControl = ({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean =>
  ctrlKey !== metaKey && !altKey && !shiftKey

/**
 * The keys of the dashboard, outside of fields and without an open dialog: Alt and N for a new payment, Control (on a Mac Command) and K for the
 * search. A key alone would be pressed by mistake, and by speech.
 */
export function useShortcutKeys(isActive: boolean): void {
  const navigate = useNavigate()
  useEffect(() => {
    if (!isActive) return
    function search() {
      const field = document.querySelector<HTMLElement>('main input[type=search]')
      if (field) field.focus()
      else void navigate(paths.payments, { state: SEARCHES })
    }
    const onKeyDown = (event: KeyboardEvent) => {
      const { code, isComposing, repeat, target, defaultPrevented } = event
      // By the place of the key: with Alt, a Mac types another character.
      const isNew = code === 'KeyN' && isWithAlt(event)
      if (!isNew && !(code === 'KeyK' && isWithControl(event))) return
      if (isComposing || repeat || defaultPrevented) return
      if (target instanceof Element && target.closest(FIELDS)) return
      if (document.querySelector('[role=dialog], dialog[open]')) return
      event.preventDefault()
      if (isNew) void navigate(paths.newPayment)
      else search()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [isActive, navigate])
}
