import type { LiveUpdate, live } from '@muripo/contract/live'
import { createParser } from 'eventsource-parser'
import { addressOf, requestInit } from '../lib/http.ts'

export interface Reading {
  readonly authToken: string
  readonly signal: AbortSignal
  readonly onOpen: () => void
  /** Anything at all has come: the stream lives. */
  readonly onData: () => void
  readonly onUpdate: (update: LiveUpdate) => void
}

/** Refused: the token is not good, or no longer. Lost: everything else that ends a stream, an end in good order included. */
export type Ending = 'refused' | 'lost'
export type Read = (reading: Reading) => Promise<Ending>

const path: (typeof live)['path'] = '/live'

/** Reads the stream to its end. By fetch and not by EventSource, which cannot send the bearer. */
export const readStream: Read = async ({ authToken, signal, onOpen, onData, onUpdate }) => {
  try {
    const response = await fetch(addressOf(path), {
      ...requestInit('GET', undefined, authToken),
      cache: 'no-store',
      signal,
    })
    if (response.status === 401) return 'refused'
    const reader = response.ok ? response.body?.getReader() : undefined
    if (!reader) return 'lost'
    onOpen()
    const parser = createParser({
      onEvent: ({ event, data }) => {
        if (event === 'payments') onUpdate(JSON.parse(data) as LiveUpdate)
      },
    })
    const text = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'lost'
      onData()
      parser.feed(text.decode(value, { stream: true }))
    }
  } catch {
    return 'lost'
  }
}
