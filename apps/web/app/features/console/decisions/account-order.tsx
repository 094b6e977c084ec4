import { SelectField } from '../../../components/ui/field.tsx'
import { useConsoleText } from '../text.ts'

interface AccountOrderProps {
  readonly label: string
  readonly error: string | undefined
  /** The accounts that may be chosen. */
  readonly accounts: readonly string[]
  /** The accounts in their order, as "paynow, mastercard"; or `default`, or `none`. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly 'data-autofocus'?: true | undefined
}

/** Accounts in the order in which they are called: each choice is followed by one for the next account. */
export function AccountOrder({ label, error, accounts, value, onChange, ...focus }: AccountOrderProps) {
  const t = useConsoleText()
  const isWord = value === 'default' || value === 'none'
  const chosen = value === '' || isWord ? [] : value.split(', ')
  const places = isWord ? 1 : Math.max(1, Math.min(chosen.length + 1, accounts.length))
  const choose = (place: number, account: string) => {
    if (account === 'default' || account === 'none') return onChange(account)
    const before = chosen.slice(0, place)
    const after = chosen.slice(place + 1).filter((each) => each !== account)
    onChange((account === '' ? before : [...before, account, ...after]).join(', '))
  }
  const words = [
    { value: '', label: t('resolveChoice') },
    { value: 'default', label: t('routeDefault') },
    { value: 'none', label: t('routeNone') },
  ]
  return Array.from({ length: places }, (_, place) => (
    <SelectField
      // biome-ignore lint/suspicious/noArrayIndexKey: the place is what the field is about
      key={place}
      label={place === 0 ? label : t('routeAccount', { place: place + 1 })}
      value={isWord ? value : (chosen[place] ?? '')}
      error={place === 0 ? error : undefined}
      choices={[
        ...(place === 0 ? words : [{ value: '', label: t('routeEnd') }]),
        ...accounts
          .filter((account) => !chosen.slice(0, place).includes(account))
          .map((account) => ({ value: account, label: account })),
      ]}
      onChange={({ currentTarget }) => choose(place, currentTarget.value)}
      {...(place === 0 ? focus : {})}
    />
  ))
}
