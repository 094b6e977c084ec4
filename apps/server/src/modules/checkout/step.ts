import type { CardStep, PayerStep } from '@muripo/contract/checkout'
import type { Attempt } from '../payments/index.ts'
import { drawQr } from './qr.ts'

/** The step that an attempt waits for; null when it waits for no step of the payer on this page, or when the step's time is over. */
export function stepOf({ status, nextAction }: Attempt, cardPage: string, now: Date): PayerStep | null {
  if (status !== 'pending' || nextAction === null || nextAction.type === 'wait_for_push') return null
  const secondsLeft = nextAction.expiresAt === null ? null : secondsUntil(nextAction.expiresAt, now)
  if (secondsLeft !== null && secondsLeft <= 0) return null
  switch (nextAction.type) {
    case 'redirect':
      return { type: 'redirect', url: nextAction.url, secondsLeft }
    case 'hosted_fields':
    case 'post_form':
      return { type: 'redirect', url: cardPage, secondsLeft }
    case 'show_code': {
      const { type, code, qr, links } = nextAction
      return { type, code, qr: drawQr(qr), links, secondsLeft }
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

/** Null for a time that cannot be read. */
function secondsUntil(time: string, now: Date): number | null {
  const milliseconds = Date.parse(time) - now.getTime()
  return Number.isNaN(milliseconds) ? null : Math.floor(milliseconds / 1000)
}
