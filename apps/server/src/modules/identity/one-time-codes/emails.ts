import type { Locale } from '@muripo/contract/enums'
import { translatorsFor } from '@muripo/locales/catalogues'
import type { Occasion } from '../../../platform/mail/email-content.ts'

/** The recipient of a code and the origin of the request. */
export interface CodeRequest {
  readonly to: string
  readonly fullname: string
  readonly code: string
  readonly occasion: Occasion
  readonly locale: Locale
  /** The account knows devices, and this is none of them. */
  readonly isNewDevice: boolean
}

/** A request whose mail carries a link beside the code. */
export interface LinkRequest extends CodeRequest {
  readonly link: string
}

const texts = await translatorsFor('codes')

/** The texts of an email with a code, and its warning of an unknown device. */
export function codeTexts({ locale, isNewDevice }: Pick<CodeRequest, 'locale' | 'isNewDevice'>) {
  const t = texts[locale]
  return { t, warning: isNewDevice ? { warning: t('newDevice') } : {} }
}
