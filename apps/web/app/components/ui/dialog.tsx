import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { useCommonText } from '../../lib/page-text.ts'
import { IconX } from '../icons.ts'
import { Button } from './button.tsx'
import { iconButtonClass, surface } from './classes.ts'
import styles from './dialog.module.css'
import { openDialogs } from './open-dialogs.ts'

export interface DialogProps {
  readonly opened: boolean
  readonly title: ReactNode
  readonly onClose: () => void
  /** Whether a request runs, during which the dialog cannot be closed. */
  readonly running?: boolean
  /** By what the user may close it: a form is not lost by a press beside it, and a secret not by Escape either. */
  readonly closesBy?: 'anything' | 'escape' | 'button'
  /** The name of the closing button; null without one. */
  readonly closeLabel?: string | null
  readonly children: ReactNode
}

interface PlacedDialogProps extends DialogProps {
  readonly place?: 'small' | 'middle' | 'wide' | 'sheet' | 'side'
}

/** The time in which a closed dialog fades out, as in `dialog.module.css`. */
const EXIT_MS = 300

/** Whether the dialog is shown or fades out, and how often it was opened. */
function usePresence(opened: boolean) {
  const [state, setState] = useState({ opened, isPresent: opened, opening: 0 })
  if (opened !== state.opened) {
    setState(({ opening }) => ({ opened, isPresent: true, opening: opened ? opening + 1 : opening }))
  }
  useEffect(() => {
    if (opened) return
    // A dialog may open again after its time has expired and before this effect is cleaned up.
    const leave = () => setState((now) => (now.opened ? now : { ...now, isPresent: false }))
    const timer = setTimeout(leave, EXIT_MS)
    return () => clearTimeout(timer)
  }, [opened])
  return state
}

function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  opened: boolean,
  closeByEscape: () => void,
): void {
  const opener = useRef<Element | null>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    if (!opened || element === null) return
    opener.current = document.activeElement
    element.show()
    openDialogs.add(element)
    const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? element.querySelector('h2')
    first?.focus({ preventScroll: true })
    return () => {
      openDialogs.remove(element)
      element.close()
    }
  }, [opened, dialog])

  // After the commit, in which React keeps the focus where it was.
  useEffect(() => {
    const element = dialog.current
    if (!opened) return
    return () => {
      const { activeElement, body } = document
      const isLost = activeElement === null || activeElement === body || element?.contains(activeElement)
      if (isLost && opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    }
  }, [opened, dialog])

  const onKey = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const { key, target, isComposing, defaultPrevented } = event
    const element = dialog.current
    if (key !== 'Escape' || isComposing || defaultPrevented || !element || !openDialogs.isLast(element))
      return
    // An open list of choices closes first.
    if (target instanceof Element && target.getAttribute('aria-expanded') === 'true') return
    closeByEscape()
  })
  // In the commit that shows the dialog: a key may follow at once.
  useLayoutEffect(() => {
    if (!opened) return
    const listener = (event: globalThis.KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [opened])
}

/** The content stays as it was while the dialog fades out. */
const Content = memo(
  ({ children }: { readonly isShown: boolean; readonly children: ReactNode }) => children,
  (_, { isShown }) => !isShown,
)

/** A dialog above everything except the toasts, with an inert page behind it, and with the focus back at its opener in the end. */
export function PlacedDialog(props: PlacedDialogProps) {
  const { isPresent, opening } = usePresence(props.opened)
  return isPresent && createPortal(<PresentDialog {...props} opening={opening} />, document.body)
}

const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]'

/** After the last control comes the first, and not the browser's own controls, which would take the focus from the page. */
function keepTabInside(event: KeyboardEvent<HTMLDialogElement>): void {
  if (event.key !== 'Tab') return
  const dialog = event.currentTarget
  const stops = [...dialog.querySelectorAll<HTMLElement>(STOPS)].filter(
    (stop) => stop.tabIndex >= 0 && stop.getClientRects().length > 0,
  )
  const [first, last] = [stops[0], stops.at(-1)]
  const isBeforeFirst = event.target === dialog || (event.target as Element).matches('h2')
  const isAtEdge = event.shiftKey ? event.target === first || isBeforeFirst : event.target === last
  if (!isAtEdge) return
  event.preventDefault()
  const next = event.shiftKey ? last : first
  next?.focus()
}

function PresentDialog({
  opened,
  title,
  onClose,
  running = false,
  closesBy = 'anything',
  closeLabel,
  place = 'middle',
  opening,
  children,
}: PlacedDialogProps & { readonly opening: number }) {
  const t = useCommonText()
  const heading = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const close = () => running || onClose()
  useModal(dialog, opened, () => closesBy !== 'button' && close())
  return (
    <div data-layer>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Escape does the same */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same */}
      <div
        className={styles.veil}
        inert={!opened}
        // A press that begins in the dialog and ends here, as of a selected text, is none on the veil.
        onClick={() => closesBy === 'anything' && close()}
      />
      <dialog
        ref={dialog}
        className={styles.dialog}
        data-place={place}
        aria-modal
        aria-labelledby={heading}
        tabIndex={-1}
        inert={!opened}
        onKeyDown={keepTabInside}
      >
        {/* Input belongs to one opening. */}
        <Content key={opening} isShown={opened}>
          <div className={styles.head}>
            <h2 id={heading} className={styles.title} tabIndex={-1}>
              {title}
            </h2>
            {closeLabel !== null && (
              <button
                type="button"
                className={`${iconButtonClass} ${surface('screenOnly')}`}
                aria-label={closeLabel ?? t('closeDialog')}
                aria-disabled={running || undefined}
                onClick={close}
              >
                <IconX size={22} stroke={1.75} aria-hidden />
              </button>
            )}
          </div>
          <div className={styles.body}>{children}</div>
        </Content>
      </dialog>
    </div>
  )
}

interface SizedDialogProps extends DialogProps {
  readonly size?: 'middle' | 'wide'
}

/** For one thing to read or to decide. On a phone it rises from below. */
export const Dialog = ({ size = 'middle', ...dialog }: SizedDialogProps) => (
  <PlacedDialog {...dialog} place={size} />
)

/** The last line of a dialog, which stays in view. The main button is the first. */
export const DialogFoot = ({ children }: { readonly children: ReactNode }) => (
  <>
    <div className={styles.space} />
    <div className={styles.foot}>{children}</div>
  </>
)

interface FormFootProps {
  readonly running: boolean
  /** The label of the submit button while the request runs. */
  readonly runningLabel: string
  readonly danger?: boolean | undefined
  readonly onCancel: () => void
  /** The label of the submit button. */
  readonly children: ReactNode
}

/** The two buttons of a form in a dialog. */
export function FormFoot({ running, runningLabel, danger, onCancel, children }: FormFootProps) {
  const t = useCommonText()
  return (
    <DialogFoot>
      <Button submit kind={danger ? 'danger' : 'primary'} running={running} runningLabel={runningLabel}>
        {children}
      </Button>
      <Button kind="default" running={running} onClick={onCancel}>
        {t('cancel')}
      </Button>
    </DialogFoot>
  )
}
