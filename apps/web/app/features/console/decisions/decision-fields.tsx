import { type Currency, fromMajor, MoneyError } from '@muripo/contract/amounts'
import { Box, SelectField, TextField } from '../../../components/ui/field.tsx'
import type { ProposalBody } from '../queries.ts'
import { priceText, useConsoleText } from '../text.ts'
import { AccountOrder } from './account-order.tsx'

type FieldName = keyof ProposalBody &
  (
    | 'subject'
    | 'amount'
    | 'currency'
    | 'debit'
    | 'credit'
    | 'method'
    | 'route'
    | 'review'
    | 'forTests'
    | 'byHand'
    | 'name'
    | 'role'
  )
export type FieldValues = Readonly<Partial<Record<FieldName, string>>>

export interface DecisionField {
  readonly name: FieldName
  readonly label: string
  readonly help?: string
  readonly isOptional?: boolean
  /** The sentence for a missing value, where it says more than the usual one. */
  readonly missing?: string
  readonly initial?: string
  /** The values to choose from; without them it is typed. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** The accounts of a route, whose order is the value. */
  readonly order?: (values: FieldValues) => readonly string[]
  /** A box, whose value when it is ticked is true. */
  readonly isBox?: boolean
  /** The sentence for a wrong value. */
  readonly check?: (value: string, values: FieldValues) => string | null
}

interface DecisionFieldsProps {
  readonly fields: readonly DecisionField[]
  readonly values: FieldValues
  readonly errorOf: (field: DecisionField) => string | undefined
  readonly onType: (name: FieldName, value: string) => void
}

export function DecisionFields({ fields, values, errorOf, onType }: DecisionFieldsProps) {
  const t = useConsoleText()
  return fields.map((field, index) => {
    const { name, label, help, choices, order, isBox } = field
    const value = values[name] ?? ''
    if (isBox)
      return (
        <Box
          key={name}
          label={label}
          checked={value !== ''}
          onChange={({ currentTarget: { checked } }) => onType(name, checked ? 'true' : '')}
        />
      )
    const shared = { label, help, value, error: errorOf(field), 'data-autofocus': index === 0 || undefined }
    const onChange = ({ currentTarget }: { currentTarget: { value: string } }) =>
      onType(name, currentTarget.value)
    if (order)
      return (
        <AccountOrder
          key={name}
          label={label}
          error={errorOf(field)}
          data-autofocus={index === 0 || undefined}
          accounts={order(values)}
          value={value}
          onChange={(next) => onType(name, next)}
        />
      )
    if (choices)
      return (
        <SelectField
          key={name}
          {...shared}
          choices={
            field.initial || field.isOptional
              ? choices
              : [{ value: '', label: t('resolveChoice') }, ...choices]
          }
          onChange={onChange}
        />
      )
    return (
      <TextField
        key={name}
        {...shared}
        autoComplete="off"
        maxLength={254}
        inputMode={inputModes[name]}
        onChange={onChange}
      />
    )
  })
}

const inputModes = { amount: 'decimal', subject: 'email' } as Readonly<
  Partial<Record<FieldName, 'decimal' | 'email'>>
>

/** Returns the check of an amount in a currency, up to the largest possible one. */
export function useAmountCheck() {
  const t = useConsoleText()
  return (text: string, currency: Currency, most?: number): string | null => {
    try {
      const { minor } = fromMajor(/^[\d.]+$/.test(text) ? Number(text) : Number.NaN, currency)
      const isTooHigh = most !== undefined && minor > fromMajor(most, currency).minor
      return isTooHigh ? t('amountAbove', { amount: priceText(currency, most) }) : null
    } catch (error) {
      if (error instanceof MoneyError) return t('amountWrong')
      throw error
    }
  }
}
