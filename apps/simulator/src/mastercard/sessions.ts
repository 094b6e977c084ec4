import type { CardBehaviour } from './behaviour.ts'
import { newSession } from './orders.ts'

export const fieldNames = ['number', 'expiryMonth', 'expiryYear', 'securityCode'] as const
export type FieldName = (typeof fieldNames)[number]

export interface HostedSession {
  readonly id: string
  readonly behaviour: CardBehaviour
  /** Kept in memory only: no file contains the number of a card. */
  readonly fields: Partial<Record<FieldName, string>>
}

/** The sessions whose fields the payer fills in inside the merchant's page. */
export function createSessions() {
  const sessions = new Map<string, HostedSession>()
  return {
    get: (id: string): HostedSession | null => sessions.get(id) ?? null,
    open(behaviour: CardBehaviour) {
      const id = newSession()
      sessions.set(id, { id, behaviour, fields: {} })
      return { id, updateStatus: 'NO_UPDATE', version: '1' }
    },
  }
}
export type Sessions = ReturnType<typeof createSessions>
