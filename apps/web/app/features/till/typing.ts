import type { PaymentMethod } from '@muripo/contract/enums'
import { walletOfNetwork } from '@muripo/contract/wallets'
import { useEffect, useEffectEvent } from 'react'

/** A key of the pad: a digit, the tenth key, or the deletion of the last character. */
export type PadKey = string

export const DELETE = 'Backspace'

const WHOLE_DIGITS = 9

/** The amount after a key. A key that makes no amount changes nothing. */
export function amountAfter(amount: string, key: PadKey): string {
  if (key === DELETE) return amount.slice(0, -1)
  const next = key === '.' && amount === '' ? '0.' : (amount === '0' && key !== '.' ? '' : amount) + key
  return new RegExp(`^\\d{0,${WHOLE_DIGITS}}(\\.\\d{0,2})?$`).test(next) ? next : amount
}

/** A typed amount in major units; null for zero. */
export const readTyped = (amount: string): number | null => Number(amount) || null

const MOST_DIGITS = 15

/** The number after a key; a plus sign begins one. */
export function numberAfter(number: string, key: PadKey): string {
  if (key === DELETE) return number.slice(0, -1)
  const next = number + key
  return new RegExp(`^\\+?\\d{0,${MOST_DIGITS}}$`).test(next) ? next : number
}

/** The digits after the country code, as far as they are typed. */
const national = (number: string): string => number.replace(/^(\+?263|0)/, '')

/** Whether the number is as long as one of a Zimbabwean phone. */
export const isWhole = (number: string): boolean => /^\d{9}$/.test(national(number))

/** The wallet of a number; undefined while its network is not typed yet. */
export function walletOfTyped(number: string): PaymentMethod | null | undefined {
  const digits = national(number)
  return digits.length < 2 || /^\+?2?6?3?$/.test(number) ? undefined : walletOfNetwork(digits)
}

/** The number in the groups in which people read it: 077 123 4567. */
export const groupedNumber = (number: string): string =>
  number.startsWith('0')
    ? number.replace(/^(\d{3})(\d{1,3})?(\d+)?/, (_, ...parts) =>
        parts.slice(0, 3).filter(Boolean).join('\u00a0'),
      )
    : number.replace(/^(\+?263)(\d{1,2})(\d{1,3})?(\d+)?/, (_, ...parts) =>
        parts.slice(0, 4).filter(Boolean).join('\u00a0'),
      )

/** Takes what is typed on a keyboard or pasted, unless a field or a dialog takes it. */
export function useTyping(onKey: (key: PadKey) => void, onEnter: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target as Element
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest('dialog, select, input[type=text]'))
      return
    if (event.key === 'Enter') {
      if (target.closest('button, a')) return
      event.preventDefault()
      onEnter()
    } else if (/^[\d.,+]$|^Backspace$/.test(event.key)) {
      event.preventDefault()
      onKey(event.key.replace(',', '.'))
    }
  })
  const pasted = useEffectEvent((event: ClipboardEvent) => {
    if ((event.target as Element).closest('dialog, input')) return
    for (const key of event.clipboardData?.getData('text').replace(/[^\d.+]/g, '') ?? '') onKey(key)
  })
  useEffect(() => {
    const onKeydown = (event: KeyboardEvent) => pressed(event)
    const onPaste = (event: ClipboardEvent) => pasted(event)
    document.addEventListener('keydown', onKeydown)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKeydown)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}
