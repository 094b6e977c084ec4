import { applicationCommands } from './applications.ts'
import { auditCommands } from './audit.ts'
import { backupCommands } from './backups.ts'
import { bankingCommands } from './banking.ts'
import type { Command } from './command.ts'
import { customerCommands } from './customers.ts'
import { dayCommands } from './days.ts'
import { doctorCommands } from './doctor/index.ts'
import { documentCommands } from './documents.ts'
import { incidentCommands } from './incidents.ts'
import { jobCommands } from './jobs.ts'
import { ledgerCommands } from './ledger.ts'
import { masterKeyCommands } from './master-keys.ts'
import { merchantDataCommands } from './merchant-data.ts'
import { merchantCommands } from './merchants.ts'
import { migrateCommands } from './migrate.ts'
import { operatorCommands } from './operators.ts'
import { paymentCommands } from './payments.ts'
import { personCommands } from './persons.ts'
import { providerHealthCommands } from './provider-health.ts'
import { providerCommands } from './providers.ts'
import { refundCommands } from './refunds.ts'
import { sessionCommands } from './sessions.ts'
import { statementCommands } from './statements.ts'

/** All commands of an operator. Each kind of object has a file; its commands are listed here. */
export const commands: readonly Command[] = [
  ...merchantCommands,
  ...merchantDataCommands,
  ...applicationCommands,
  ...bankingCommands,
  ...paymentCommands,
  ...refundCommands,
  ...ledgerCommands,
  ...dayCommands,
  ...statementCommands,
  ...providerCommands,
  ...documentCommands,
  ...customerCommands,
  ...providerHealthCommands,
  ...jobCommands,
  ...operatorCommands,
  ...personCommands,
  ...masterKeyCommands,
  ...sessionCommands,
  ...auditCommands,
  ...backupCommands,
  ...migrateCommands,
  ...doctorCommands,
  ...incidentCommands,
]
