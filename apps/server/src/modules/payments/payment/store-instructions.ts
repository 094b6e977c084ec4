import type { CaptureInstruction } from './instruction.ts'
import type { Payment } from './payment.ts'
import { type KeyedRequest, keyedColumns } from './store-idempotency.ts'
import { captureInstructions } from './tables.ts'

/** A new instruction, with the request that gave it under an Idempotency-Key. */
export type NewInstruction = CaptureInstruction & { readonly keyed?: KeyedRequest | null }

const inserted = captureInstructions.recordSet([
  'accountId',
  'paymentId',
  'attemptId',
  'kind',
  'amount',
  'currency',
  'createdAt',
])

const names = `${inserted.text.names}, ${keyedColumns.names}`

/** The columns of `instructionRow`, as json_to_recordset reads them. */
export const instructionDefinition = `${inserted.text.definition}, ${keyedColumns.definition}`

export const instructionRow = (instruction: NewInstruction, { amount: { currency } }: Payment): object => ({
  ...inserted.row({ ...instruction, currency }),
  ...instruction.keyed,
})

/** A statement that inserts the instructions of a relation. */
export const insertInstructionsFrom = (given: string): string =>
  `insert into capture_instructions (${names}) select ${names} from ${given}`
