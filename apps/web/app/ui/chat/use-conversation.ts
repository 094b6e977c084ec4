import { useCallback, useEffect, useState } from 'react'
import { type ChatMessage, greeting, question, REPLY_DELAY_MS, reply } from './conversation.ts'

/** The talk in this window, from its greeting on. It leaves the browser at no time. */
export function useConversation() {
  const [messages, setMessages] = useState<readonly ChatMessage[]>([])
  const [due] = useState(() => new Set<ReturnType<typeof setTimeout>>())

  const forget = useCallback(() => {
    for (const timer of due) clearTimeout(timer)
    due.clear()
  }, [due])
  useEffect(() => forget, [forget])

  return {
    messages,
    begin: () => setMessages((before) => (before.length > 0 ? before : [greeting()])),
    end() {
      forget()
      setMessages([])
    },
    send(text: string): boolean {
      const asked = question(text)
      if (asked === null) return false
      setMessages((before) => [...before, asked])
      const timer = setTimeout(() => {
        due.delete(timer)
        setMessages((before) => [...before, reply()])
      }, REPLY_DELAY_MS)
      due.add(timer)
      return true
    },
  }
}
