import { useEffect, useState } from 'react'
import floats from '../floats.module.css'
import { IconMessageCircle } from '../icons.ts'
import { ChatPanel } from './chat-panel.tsx'
import { useConversation } from './use-conversation.ts'

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
