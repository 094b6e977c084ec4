import { type AccountType, type DocumentType, documentTypes, SignUp } from '@muripo/contract/auth'
import { PDF_MAX_BYTES } from '@muripo/contract/constants'
import { fieldErrors } from './field-errors.ts'

export interface SignUpValues {
  accountType: AccountType
  fullname: string
  email: string
  password: string
  phonenumber: string
  identificationDocumentType: DocumentType | null
  document: File | null
}

const { accountType, fullname, email, password, phonenumber, identificationDocumentType } = SignUp.shape
/** In the order of the form, so that the first error is the topmost. */
const typedFields = { accountType, fullname, email, phonenumber, password, identificationDocumentType }

export const documentLabels: Readonly<Record<DocumentType, string>> = {
  passport: 'Passport',
  national_id: 'National ID',
  driver_license: 'Driver License',
  certificate_of_incorporation: 'Certificate of Incorporation',
  tax_id: 'Tax ID',
}

export const documentChoices = (type: AccountType) =>
  documentTypes[type].map((value) => ({ value, label: documentLabels[value] }))

/** A file of exactly the limit is refused: it must be smaller. */
export function pdfError(file: Pick<File, 'name' | 'type' | 'size'>): string | null {
  const isPdf = file.type === 'application/pdf' || (file.type === '' && /\.pdf$/i.test(file.name))
  if (!isPdf) return 'Only PDF files are allowed'
  return file.size < PDF_MAX_BYTES ? null : 'File size must be less than 10MB'
}

export function signUpErrors(values: SignUpValues): Partial<Record<keyof SignUpValues, string>> {
  const documentError =
    values.document === null ? 'Please upload your identification document' : pdfError(values.document)
  return {
    ...fieldErrors(typedFields, values),
    ...(documentError === null ? {} : { document: documentError }),
  }
}
