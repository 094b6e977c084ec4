import type { CardStep, PayerStep } from '@muripo/contract/checkout'
import { drawQr } from '../../platform/qr.ts'
import type { Attempt } from '../payments/index.ts'

/** The step that an attempt waits for; null when it waits for no step of the payer on this page, or when the step's time is over. */
export function stepOf({ status, nextAction }: Attempt, cardPage: string, now: Date): PayerStep | null {
  if (status !== 'pending' || nextAction === null || nextAction.type === 'wait_for_push') return null
  const end = nextAction.expiresAt === null ? Number.NaN : Date.parse(nextAction.expiresAt)
  if (end <= now.getTime()) return null
  // A time that cannot be read is not shown.
  const until = Number.isNaN(end) ? null : new Date(end).toISOString()
  switch (nextAction.type) {
    case 'redirect':
      return { type: 'redirect', url: nextAction.url, until }
    case 'hosted_fields':
    case 'post_form':
      return { type: 'redirect', url: cardPage, until }
    case 'show_code': {
      const { type, code, qr, links } = nextAction
      return { type, code, qr: drawQr(qr), links, until }
    }
  }
}

/** The step that the page of the card draws; null when the attempt waits for none. */
export function cardStepOf(attempt: Attempt, now: Date): CardStep | null {
  const { nextAction } = attempt
  if (stepOf(attempt, '', now) === null) return null
  if (nextAction?.type === 'hosted_fields')
    return { type: nextAction.type, script: nextAction.script, session: nextAction.session }
  if (nextAction?.type === 'post_form')
    return { type: nextAction.type, url: nextAction.url, fields: nextAction.fields }
  return null
}
