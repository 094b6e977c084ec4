import english from 'virtual:texts/chat/en'
import type { Locale } from '@muripo/contract/enums'
import type { chat } from '@muripo/locales/chat'
import type { Translate } from '@muripo/locales/translator'
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { IconMessageCircle, IconMinus, IconSend, IconX } from '../../components/icons.ts'
import { font, iconButtonClass, place, row, stack, surface } from '../../components/ui/classes.ts'
import { usePageLanguage, usePageText } from '../../lib/page-text.ts'
import { paths } from '../../lib/paths.ts'
import { withElements } from '../../lib/sentence.tsx'
import floats from '../floats.module.css'
import styles from './chat.module.css'

type ChatText = Translate<typeof chat>

const useChatText = (): ChatText => usePageText<typeof chat>(english)

/** The button receives the focus when the panel closes. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus({ preventScroll: true })

interface ChatProps {
  /** Whether the page's own script loads the framework at a press; otherwise the button appears when the framework is loaded. */
  readonly isReady: boolean
}

/** A minimised chat keeps its messages; a closed one loses them. */
export function Chat({ isReady }: ChatProps) {
  const [open, setOpen] = useState<boolean | null>(null)
  const [alive, setAlive] = useState(isReady)
  const t = useChatText()
  const talk = useConversation(t)
  // A button that needs the framework is not shown before the framework runs.
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
  const label = t(talk.messages.length > 1 ? 'chatContinue' : 'chatOpen')
  return (
    <button
      type="button"
      className={floats.round}
      aria-label={label}
      data-framework
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
  /** Returns false for an empty text. */
  readonly onSend: (text: string) => boolean
  readonly onMinimise: () => void
  readonly onClose: () => void
}

export function ChatPanel({ messages, onSend, onMinimise, onClose }: ChatPanelProps) {
  const t = useChatText()
  return (
    <section
      className={`${styles.panel} ${stack()} ${surface('surface')}`}
      aria-label={t('chatName')}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onMinimise()
      }}
    >
      <header className={`${styles.head} ${row('centre', 'gap4')} ${surface('ink')}`}>
        <div className={place('grow')}>
          <p className={font('semibold', 'snug')}>{t('chatSupport')}</p>
          <p className={font('xs', 'onInkQuiet')}>{t('chatAutomatic')}</p>
        </div>
        <button
          type="button"
          className={`${styles.tool} ${iconButtonClass}`}
          aria-label={t('chatMinimise')}
          onClick={onMinimise}
        >
          <IconMinus size={20} stroke={1.75} aria-hidden />
        </button>
        <button
          type="button"
          className={`${styles.tool} ${iconButtonClass}`}
          aria-label={t('chatClose')}
          onClick={onClose}
        >
          <IconX size={20} stroke={1.75} aria-hidden />
        </button>
      </header>
      <MessageLog messages={messages} />
      <MessageInput onSend={onSend} />
      <p className={`${styles.person} ${font('xs', 'quiet')}`}>
        {withElements((values) => t('chatPerson', values), {
          link: <Link to={paths.contact}>{t('chatPersonLink')}</Link>,
        })}
      </p>
    </section>
  )
}

function MessageLog({ messages }: Pick<ChatPanelProps, 'messages'>) {
  const t = useChatText()
  const { locale } = usePageLanguage()
  const log = useRef<HTMLDivElement>(null)
  const last = messages.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message makes it scroll
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight
  }, [last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
    <div ref={log} className={styles.log} role="log" aria-label={t('chatMessages')} tabIndex={0}>
      {messages.map(({ id, sender, message, timestamp }) => (
        <div key={id} className={styles.message} data-sender={sender} data-message-id={id}>
          <p className={`${styles.bubble} ${font('md', 'anywhere')}`}>{message}</p>
          <p className={`${styles.when} ${font('xs', 'quiet')}`}>
            {t(sender === 'user' ? 'chatYou' : 'chatSupport')} ·{' '}
            <time dateTime={timestamp.toISOString()}>{clockText(timestamp, locale)}</time>
          </p>
        </div>
      ))}
    </div>
  )
}

function MessageInput({ onSend }: Pick<ChatPanelProps, 'onSend'>) {
  const t = useChatText()
  const [text, setText] = useState('')
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])

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
    <div className={`${styles.write} ${row('gap8')}`}>
      <textarea
        ref={input}
        rows={1}
        maxLength={2000}
        aria-label={t('chatYourMessage')}
        placeholder={t('chatWrite')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button
        type="button"
        className={`${styles.send} ${iconButtonClass}`}
        aria-label={t('chatSend')}
        onClick={send}
      >
        <IconSend size={20} stroke={1.75} aria-hidden />
      </button>
    </div>
  )
}

export interface ChatMessage {
  readonly id: number
  readonly sender: 'user' | 'support'
  readonly message: string
  readonly timestamp: Date
}

export const REPLY_DELAY_MS = 1000

/** "09:30 AM", and in the other languages "09:30": browsers on cheap phones have no data for them. */
const clockText = (time: Date, locale: Locale): string =>
  time.toLocaleTimeString(locale === 'en' ? 'en-US' : 'en-GB', { hour: '2-digit', minute: '2-digit' })

let lastId = 0

function messageFrom(sender: ChatMessage['sender'], message: string): ChatMessage {
  lastId += 1
  return { id: lastId, sender, message, timestamp: new Date() }
}

export const greeting = (t: ChatText): ChatMessage => messageFrom('support', t('chatGreeting'))
export const reply = (t: ChatText): ChatMessage => messageFrom('support', t('chatReply'))

/** Null for an empty text. */
export const question = (text: string): ChatMessage | null =>
  text.trim() === '' ? null : messageFrom('user', text.trim())

/** The messages of this window, which never leave the browser. */
export function useConversation(t: ChatText) {
  const [messages, setMessages] = useState<readonly ChatMessage[]>([])
  const [due] = useState(() => new Set<ReturnType<typeof setTimeout>>())

  const clearTimers = useCallback(() => {
    for (const timer of due) clearTimeout(timer)
    due.clear()
  }, [due])
  useEffect(() => clearTimers, [clearTimers])

  return {
    messages,
    begin() {
      // React may run an updater twice: the message is made outside of it.
      const first = greeting(t)
      setMessages((before) => (before.length > 0 ? before : [first]))
    },
    end() {
      clearTimers()
      setMessages([])
    },
    send(text: string): boolean {
      const entry = question(text)
      if (entry === null) return false
      setMessages((before) => [...before, entry])
      const timer = setTimeout(() => {
        due.delete(timer)
        const answer = reply(t)
        setMessages((before) => [...before, answer])
      }, REPLY_DELAY_MS)
      due.add(timer)
      return true
    },
  }
}
