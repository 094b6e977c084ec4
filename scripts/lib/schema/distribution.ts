/**
 * The position of each table when Citus distributes the schema over several nodes (docs/scale.md). The rows of a distributed table are on
 * the node of their environment. A reference table is small, has all of its rows on every node, and is written on all of them at once. The
 * rows of a local table are on the coordinator.
 */
export type Position = 'distributed' | 'reference' | 'local'

interface Placement {
  readonly position: Position
  readonly because: string
  readonly tables: readonly string[]
}

/** The column that contains the environment. Its rows in all distributed tables are on one node. */
export const tenantColumn = 'account_id'

const placements: readonly Placement[] = [
  {
    position: 'distributed',
    because: 'they grow with payments, and one statement of a payment writes several of them',
    tables: [
      'capture_instructions',
      'customers',
      'events',
      'events_to_relay',
      'ledger_account_balances',
      'ledger_adjustments',
      'ledger_comparisons',
      'ledger_day_sums',
      'ledger_transfers',
      'payment_anomalies',
      'payment_attempts',
      'payment_counts',
      'payment_revenue',
      'payment_stat_deltas',
      'payments',
      'receipts_to_mail',
      'refunds',
      'retained_numbers',
      'webhook_deliveries',
      'webhook_delivery_attempts',
    ],
  },
  {
    position: 'distributed',
    because: 'statements and triggers of a payment read them with rows of its environment',
    tables: [
      'application_brands',
      'application_keys',
      'applications',
      'approved_brands',
      'ledger_accounts',
      'webhook_endpoints',
      'webhook_secrets',
    ],
  },
  {
    position: 'reference',
    because: 'distributed and local tables refer to a merchant or an environment, and their triggers read it',
    tables: ['environments', 'merchants'],
  },
  {
    position: 'reference',
    because: 'a merchant refers to its document, and the triggers of each read the other',
    tables: ['documents'],
  },
  {
    position: 'reference',
    because: 'few rows, which functions, triggers and defaults of distributed tables read',
    tables: [
      'business_holidays',
      'ledger_balance_position',
      'ledger_business_days',
      'transaction_position_base',
    ],
  },
  {
    position: 'local',
    because: 'a reference of a provider proves one payment of all merchants, and only operators write it',
    tables: ['verdict_references'],
  },
  {
    position: 'local',
    because:
      'a sign-in finds its person by an email address, a device or a code, a person may be a member of several merchants, and no payment reads these tables',
    tables: [
      'devices',
      'invitations',
      'memberships',
      'one_time_codes',
      'ownership_transfers',
      'passkey_challenges',
      'passkeys',
      'persons',
      'recovery_codes',
      'refresh_tokens',
      'sessions',
      'sign_in_failures',
      'totp_factors',
    ],
  },
  {
    position: 'local',
    because:
      'operators belong to the company, and an approval commits with its effect over the network, as the audit log does',
    tables: [
      'operator_challenges',
      'operator_enrolments',
      'operator_passkeys',
      'operator_reveals',
      'operator_sessions',
      'operators',
      'proposals',
    ],
  },
  {
    position: 'local',
    because: 'statements name accounts at providers and banks, with the payments of all merchants',
    tables: ['bank_accounts', 'statement_lines', 'statement_sources', 'statement_unread_rows', 'statements'],
  },
  {
    position: 'local',
    because: 'the environment is known only after the code or the callback has been read',
    tables: ['provider_callbacks', 'resume_codes'],
  },
  {
    position: 'local',
    because: 'all merchants share the providers, and routes are read by statements of their own',
    tables: [
      'provider_accounts',
      'provider_budgets',
      'provider_call_counts',
      'provider_callback_refusals',
      'provider_routes',
    ],
  },
  {
    position: 'local',
    because: 'a job commits with its cause on one node, so each node has a queue of its own',
    tables: ['jobs'],
  },
  {
    position: 'local',
    because: 'they belong to the company, or to merchants and to the company as the log of actions does',
    tables: [
      'audit_log',
      'audit_seals',
      'deployment',
      'incident_updates',
      'incidents',
      'job_runs',
      'rate_limits',
      'root_secret',
    ],
  },
]

/** Local tables that a transaction of a shard group reads or writes, over the network. */
export const reachedFromGroups: readonly string[] = [
  'audit_log',
  'devices',
  'memberships',
  'passkeys',
  'operator_sessions',
  'operators',
  'proposals',
  'rate_limits',
  'resume_codes',
  'sessions',
  'totp_factors',
  'verdict_references',
]

export const positions: ReadonlyMap<string, Position> = new Map(
  placements.flatMap(({ position, tables }) => tables.map((table) => [table, position] as const)),
)
