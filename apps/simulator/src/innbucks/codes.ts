import { type Journal, openJournal } from '../journal.ts'
import { createTimers } from '../timers.ts'
import type { AccountCurrency } from './accounts.ts'
import type { CodeBehaviour, Ending } from './behaviour.ts'

export interface PaymentCode {
  readonly sequence: number
  readonly code: string
  readonly reference: string
  readonly narration: string
  readonly minor: number
  readonly currency: AccountCurrency
  readonly authNumber: string
  readonly stan: string
  readonly createdAt: number
  readonly expiresAt: number
  state: 'New' | Ending
  closedAt: number | null
  /** The automatic end, and its time. */
  planned: { readonly state: Ending; readonly at: number } | null
  behaviour: CodeBehaviour
  inquiries: number
}

export interface CodesDeps {
  readonly folder: string
  readonly keep: number
  readonly speed: number
  readonly now: () => number
}

/** InnBucks does not publish the life of a code. */
const CODE_LIFE_MS = 10 * 60_000

export const isPaid = ({ state }: PaymentCode): boolean => state === 'Claimed' || state === 'Paid'

/** Stores the codes, and ends each at its planned time. */
function createLifecycle({ speed, now }: CodesDeps, journal: Journal<PaymentCode>) {
  const timers = createTimers()

  const plan = (state: Ending, afterMs: number) => ({ state, at: now() + afterMs / speed })

  function save(code: PaymentCode): void {
    for (const removed of journal.save(code)) timers.cancel(removed.code)
    schedule(code)
  }

  function schedule(code: PaymentCode): void {
    const { planned } = code
    timers.cancel(code.code)
    if (planned === null) return
    const waitMs = planned.at - now()
    if (waitMs <= 0) end(code, planned.state)
    else timers.set(code.code, waitMs, () => schedule(code))
  }

  function end(code: PaymentCode, state: Ending): void {
    const late = code.behaviour.lateClaimAfterMs
    Object.assign(code, { state, closedAt: now(), planned: null })
    if (!isPaid(code) && late !== undefined) code.planned = plan('Claimed', late)
    save(code)
  }

  return { plan, save, schedule, end, stop: timers.stop }
}

/** The life of payment codes: a code is new until a payer claims it or its time is over. */
export function createCodes(deps: CodesDeps) {
  const { folder, keep, speed, now } = deps
  const journal = openJournal<PaymentCode>({
    folder,
    file: 'innbucks.jsonl',
    keep,
    idOf: ({ code }) => code,
    isRecord: ({ code, sequence }) => typeof code === 'string' && typeof sequence === 'number',
  })
  const lifecycle = createLifecycle(deps, journal)
  const { plan } = lifecycle
  let last = Math.max(0, ...journal.all().map(({ sequence }) => sequence))

  return {
    get: journal.get,
    all: journal.all,

    open(
      input: Pick<PaymentCode, 'reference' | 'narration' | 'minor' | 'currency'>,
      behaviour: CodeBehaviour,
    ): PaymentCode {
      last += 1
      const lifeMs = behaviour.lifeMs ?? CODE_LIFE_MS
      const code: PaymentCode = {
        ...input,
        sequence: last,
        // Nine digits without an order that a person would see.
        code: String(700_000_000 + ((last * 61_356_757) % 99_999_989)),
        authNumber: String(500_000 + last),
        stan: String(last % 1_000_000).padStart(6, '0'),
        createdAt: now(),
        expiresAt: now() + lifeMs / speed,
        state: 'New',
        closedAt: null,
        planned: null,
        behaviour,
        inquiries: 0,
      }
      if (behaviour.neverResolves !== true) {
        const { ending } = behaviour
        code.planned = ending ? plan(ending.state, ending.afterMs) : plan('Expired', lifeMs)
      }
      lifecycle.save(code)
      return code
    },

    /** The payer pays the code in the app, or leaves it; false when it is no longer new. */
    answer(code: PaymentCode, answer: 'approve' | 'decline'): boolean {
      if (code.state !== 'New' || code.behaviour.neverResolves === true) return false
      lifecycle.end(code, answer === 'approve' ? 'Claimed' : 'Timed Out')
      return true
    },

    /** Changes how an existing code is treated from now on. */
    adjust(code: PaymentCode, behaviour: CodeBehaviour): void {
      code.behaviour = { ...code.behaviour, ...behaviour }
      code.inquiries = 0
      if (behaviour.neverResolves === true) code.planned = null
      else if (behaviour.ending !== undefined)
        code.planned = plan(behaviour.ending.state, behaviour.ending.afterMs)
      lifecycle.save(code)
    },

    /** Ends the codes whose time passed while the simulator was down. */
    resume(): void {
      for (const code of journal.all()) lifecycle.schedule(code)
    },

    stop(): void {
      lifecycle.stop()
      journal.close()
    },
  }
}
export type Codes = ReturnType<typeof createCodes>
