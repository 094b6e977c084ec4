import type { Component, getStatus } from '@muripo/contract/site'
import { useEffect, useState } from 'react'
import { sendPublic } from '../../lib/api.ts'

const AGAIN_MS = 30_000

export type Reading =
  | { readonly state: 'loading'; readonly components: readonly Component[] }
  | {
      readonly state: 'operational' | 'degraded' | 'unreachable'
      readonly components: readonly Component[]
      readonly at: Date
    }

/** The API's word about itself, asked again and again; silence is an answer too. */
export function useStatus(): Reading {
  const [reading, setReading] = useState<Reading>({ state: 'loading', components: [] })
  useEffect(() => {
    let gone = false
    const ask = async () => {
      const { data } = await sendPublic<typeof getStatus>('GET', '/status')
      if (gone) return
      const at = new Date()
      setReading(
        data === null
          ? { state: 'unreachable', components: [{ ...api, checkedAt: at.toISOString() }], at }
          : { state: data.status, components: data.components, at },
      )
    }
    void ask()
    const timer = setInterval(() => void ask(), AGAIN_MS)
    return () => {
      gone = true
      clearInterval(timer)
    }
  }, [])
  return reading
}

const api = { id: 'api', name: 'API', status: 'down' } as const
