import type { PaymentMethod } from '@muripo/contract/payments'

interface MethodLook {
  readonly name: string
  readonly hint: string
  readonly letters: string
  readonly colour: string
}

export const methodLooks: Readonly<Record<PaymentMethod, MethodLook>> = {
  ecocash: { name: 'EcoCash', hint: 'Mobile wallet', letters: 'E', colour: '#0a5fb4' },
  innbucks: { name: 'InnBucks', hint: 'Mobile wallet', letters: 'i', colour: '#7a2e8e' },
  onemoney: { name: 'OneMoney', hint: 'Mobile wallet', letters: '1', colour: '#b0430b' },
  visa: { name: 'Visa/Mastercard', hint: 'Card', letters: '', colour: '#1a1f71' },
}

export const MethodMark = ({ method }: { readonly method: PaymentMethod }) => {
  const { letters, colour } = methodLooks[method]
  return (
    <svg width="44" height="30" viewBox="0 0 44 30" aria-hidden="true">
      <rect width="44" height="30" rx="6" fill={colour} />
      {method === 'visa' ? (
        <>
          <circle cx="18" cy="15" r="8" fill="#eb001b" />
          <circle cx="26" cy="15" r="8" fill="#f79e1b" fillOpacity=".9" />
        </>
      ) : (
        <text x="22" y="21" textAnchor="middle" fontSize="17" fontWeight="700" fill="#fff">
          {letters}
        </text>
      )}
    </svg>
  )
}
