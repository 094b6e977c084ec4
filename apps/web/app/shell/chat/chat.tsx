import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { IconMessageCircle, IconMinus, IconSend, IconX } from '../../components/icons.ts'
import { paths } from '../../lib/paths.ts'
import floats from '../floats.module.css'
import styles from './chat.module.css'
import { type ChatMessage, useConversation } from './conversation.ts'

/** Focus comes back to where it was when the panel goes. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true })

/** Minimised keeps the talk, closed ends it. */
export function Chat() {
  const [open, setOpen] = useState<boolean | null>(null)
  const [alive, setAlive] = useState(false)
  const talk = useConversation()
  // A button that needs script is not there before the script is.
  useEffect(() => setAlive(true), [])
  if (!alive) return null
  if (open) {
    return (
      <ChatPanel
        messages={talk.messages}
        onSend={talk.send}
        onMinimise={() => setOpen(false)}
        onClose={() => {
          talk.end()
          setOpen(false)
        }}
      />
    )
  }
  const label = talk.messages.length > 1 ? 'Continue the support chat' : 'Open support chat'
  return (
    <button
      type="button"
      className={floats.round}
      aria-label={label}
      ref={open === false ? takeFocus : null}
      onClick={() => {
        talk.begin()
        setOpen(true)
      }}
    >
      <IconMessageCircle size={24} stroke={1.75} aria-hidden />
    </button>
  )
}

interface ChatPanelProps {
  readonly messages: readonly ChatMessage[]
  /** False when there was nothing to send. */
  readonly onSend: (text: string) => boolean
  readonly onMinimise: () => void
  readonly onClose: () => void
}

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit' })

export function ChatPanel({ messages, onSend, onMinimise, onClose }: ChatPanelProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  const log = useRef<HTMLDivElement>(null)
  const last = messages.at(-1)?.id
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what makes it scroll
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  }, [last])

  const send = () => {
    if (onSend(text)) setText('')
    input.current?.focus({ preventScroll: true })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // While a word is being composed, Enter chooses a candidate.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <section
      className={styles.panel}
      aria-label="Support chat"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onMinimise()
      }}
    >
      <header className={styles.head}>
        <div>
          <p className={styles.title}>Support</p>
          <p className={styles.note}>Automatic answers, day and night</p>
        </div>
        <button type="button" className={styles.tool} aria-label="Minimise chat" onClick={onMinimise}>
          <IconMinus size={20} stroke={1.75} aria-hidden />
        </button>
        <button type="button" className={styles.tool} aria-label="Close chat" onClick={onClose}>
          <IconX size={20} stroke={1.75} aria-hidden />
        </button>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <div ref={log} className={styles.log} role="log" aria-label="Messages" tabIndex={0}>
        {messages.map(({ id, sender, message, timestamp }) => (
          <div key={id} className={styles.message} data-sender={sender} data-message-id={id}>
            <p className={styles.bubble}>{message}</p>
            <p className={styles.when}>
              {sender === 'user' ? 'You' : 'Support'} ·{' '}
              <time dateTime={timestamp.toISOString()}>{time.format(timestamp)}</time>
            </p>
          </div>
        ))}
      </div>
      <div className={styles.write}>
        <textarea
          ref={input}
          rows={1}
          maxLength={2000}
          aria-label="Your message"
          placeholder="Write a message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="button" className={styles.send} aria-label="Send message" onClick={send}>
          <IconSend size={20} stroke={1.75} aria-hidden />
        </button>
      </div>
      <p className={styles.person}>
        Need a person? <Link to={paths.contact}>Write to us</Link>
      </p>
    </section>
  )
}
