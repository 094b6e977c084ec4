import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Behaviour } from './behaviour.ts'
import type { Verdict } from './verdicts.ts'

export interface Transaction {
  readonly sequence: number
  readonly kind: 'charge' | 'refund'
  readonly correlator: string
  readonly number: string
  readonly minor: number
  readonly currency: 'USD' | 'ZWG'
  readonly notifyUrl: string | null
  readonly referenceCode: string
  readonly remarks: string
  readonly shopName: string
  readonly merchantNumber: string
  /** The reference in the subscriber's message. */
  readonly reference: string
  readonly originalReference: string | null
  readonly createdAt: number
  /** reversed: the wallet reversed it after it was paid, without a request. */
  status: 'pending' | 'completed' | 'failed' | 'refunded' | 'reversed'
  message: string | null
  refundedMinor: number
  endedAt: number | null
  /** Whether the handset shows the prompt. */
  prompt: boolean
  /** The automatic outcome, and its time. */
  planned: { readonly verdict: Verdict; readonly at: number } | null
  behaviour: Behaviour
  queries: number
  callbacksSent: number
}

/**
 * The wallet's records. Each change is a line of the file before its response, so a killed simulator restarts
 * with everything that it acknowledged. The oldest records are removed when there are too many.
 */
export function openLedger(folder: string | null, keep: number) {
  const byCorrelator = new Map<string, Transaction>()
  const byReference = new Map<string, string>()
  const path = folder === null ? null : join(folder, 'ecocash.jsonl')
  let sequence = 0
  let lines = 0
  let file: number | null = null

  function remember(transaction: Transaction): void {
    byCorrelator.set(transaction.correlator, transaction)
    byReference.set(transaction.reference, transaction.correlator)
    sequence = Math.max(sequence, transaction.sequence)
  }

  function removeOldest(): Transaction[] {
    const removed: Transaction[] = []
    for (const transaction of byCorrelator.values()) {
      if (byCorrelator.size <= keep) break
      byCorrelator.delete(transaction.correlator)
      byReference.delete(transaction.reference)
      removed.push(transaction)
    }
    return removed
  }

  if (folder !== null && path !== null) {
    mkdirSync(folder, { recursive: true })
    file = openSync(path, 'a+')
    const text = readFileSync(path, 'utf8')
    for (const line of text.split('\n')) {
      const transaction = readLine(line)
      if (transaction !== null) remember(transaction)
      lines += 1
    }
    removeOldest()
    // The last line of a killed process may be torn; the next one must not be glued to it.
    if (text !== '' && !text.endsWith('\n')) writeSync(file, '\n')
  }

  function compact(): void {
    if (path === null || file === null || lines < keep * 4) return
    const next = openSync(`${path}.next`, 'w')
    for (const transaction of byCorrelator.values()) writeSync(next, `${JSON.stringify(transaction)}\n`)
    closeSync(next)
    closeSync(file)
    renameSync(`${path}.next`, path)
    file = openSync(path, 'a')
    lines = byCorrelator.size
  }

  return {
    nextSequence: (): number => sequence + 1,
    get: (correlator: string): Transaction | null => byCorrelator.get(correlator) ?? null,
    getByReference: (reference: string): Transaction | null =>
      byCorrelator.get(byReference.get(reference) ?? '') ?? null,
    all: (): Transaction[] => [...byCorrelator.values()],
    ofNumber: (number: string): Transaction[] =>
      [...byCorrelator.values()].filter((transaction) => transaction.number === number),
    /** Keeps the transaction as it now is; returns those that had to go for it. */
    save(transaction: Transaction): Transaction[] {
      remember(transaction)
      if (file !== null) writeSync(file, `${JSON.stringify(transaction)}\n`)
      lines += 1
      const removed = removeOldest()
      compact()
      return removed
    },
    close(): void {
      if (file !== null) closeSync(file)
      file = null
    },
  }
}
export type Ledger = ReturnType<typeof openLedger>

function readLine(line: string): Transaction | null {
  try {
    const value = JSON.parse(line) as Transaction
    return typeof value.correlator === 'string' && typeof value.sequence === 'number' ? value : null
  } catch {
    return null
  }
}
