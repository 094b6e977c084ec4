import { useCallback, useEffect, useState } from 'react'

export interface ChatMessage {
  readonly id: string
  readonly sender: 'user' | 'support'
  readonly message: string
  readonly timestamp: Date
}

export const REPLY_DELAY_MS = 1000
const GREETING = 'Hello! Welcome to Muripo. What can we help you with?'
const REPLY =
  'Thank you for your message. This window answers by itself and sends nothing on. A person reads what you write on our Contact page.'

const messageFrom = (sender: ChatMessage['sender'], message: string): ChatMessage => ({
  id: crypto.randomUUID(),
  sender,
  message,
  timestamp: new Date(),
})

export const greeting = (): ChatMessage => messageFrom('support', GREETING)
export const reply = (): ChatMessage => messageFrom('support', REPLY)

/** Null for a message with nothing in it. */
export const question = (text: string): ChatMessage | null =>
  text.trim() === '' ? null : messageFrom('user', text.trim())

/** The talk in this window, from its greeting on. It leaves the browser at no time. */
export function useConversation() {
  const [messages, setMessages] = useState<readonly ChatMessage[]>([])
  const [due] = useState(() => new Set<ReturnType<typeof setTimeout>>())

  const clearTimers = useCallback(() => {
    for (const timer of due) clearTimeout(timer)
    due.clear()
  }, [due])
  useEffect(() => clearTimers, [clearTimers])

  return {
    messages,
    begin: () => setMessages((before) => (before.length > 0 ? before : [greeting()])),
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
        setMessages((before) => [...before, reply()])
      }, REPLY_DELAY_MS)
      due.add(timer)
      return true
    },
  }
}
