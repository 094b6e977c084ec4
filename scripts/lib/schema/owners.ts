/** The modules of the server in the order in which their tables may be created. A trigger function belongs to the table of its triggers. */
export interface Owned {
  readonly module: string
  readonly tables: readonly string[]
  readonly views?: readonly string[]
  /** Functions that no trigger calls, or the triggers of several tables. */
  readonly functions?: readonly string[]
}

export const owners: readonly Owned[] = [
  {
    module: 'platform',
    tables: [
      'audit_log',
      'audit_seals',
      'deployment',
      'jobs',
      'rate_limits',
      'root_secret',
      'transaction_position_base',
    ],
    functions: [
      'audit_bytes',
      'audit_log_set_position',
      'audit_row_hash',
      'audit_seal_hash',
      'audit_time_bytes',
      'encryption_key_id',
      'id_day',
      'id_ms',
      'id_time',
      'muripo_now',
      'refuse_change',
      'transaction_horizon',
      'transaction_position',
    ],
  },
  {
    module: 'identity',
    tables: [
      'devices',
      'documents',
      'environments',
      'invitations',
      'memberships',
      'merchants',
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
    module: 'applications',
    tables: ['application_brands', 'application_keys', 'applications', 'approved_brands'],
    views: ['application_figures'],
  },
  {
    module: 'ledger',
    tables: [
      'ledger_account_balances',
      'ledger_accounts',
      'ledger_adjustments',
      'ledger_balance_position',
      'ledger_comparisons',
      'ledger_transfers',
    ],
    views: ['ledger_balances', 'ledger_balances_drift', 'ledger_adjustments_drift', 'ledger_new_transfers'],
    functions: ['aggregate_ledger_balances', 'rebuild_ledger_balances'],
  },
  {
    module: 'providers',
    tables: [
      'provider_accounts',
      'provider_budgets',
      'provider_call_counts',
      'provider_callback_refusals',
      'provider_callbacks',
      'provider_routes',
    ],
  },
  {
    module: 'webhooks',
    tables: [
      'events',
      'events_to_relay',
      'webhook_deliveries',
      'webhook_endpoints',
      'webhook_secrets',
      'webhook_delivery_attempts',
    ],
  },
  {
    module: 'payments',
    tables: [
      'capture_instructions',
      'customers',
      'payment_anomalies',
      'payment_attempts',
      'payment_counts',
      'payment_revenue',
      'payment_stat_deltas',
      'payments',
      'receipts_to_mail',
      'refunds',
      'retained_numbers',
      'verdict_references',
    ],
    views: [
      'payment_figures',
      'payment_figures_drift',
      'payment_ledger_drift',
      'payment_reversals_to_add',
      'payment_method_figures',
      'payment_revenue_figures',
      'payment_stat_images',
    ],
    functions: [
      'aggregate_payment_stats',
      'id_ending',
      'is_key_expired',
      'keep_final_provider_state',
      'keep_provider_reply',
      'provider_reference_key',
      'rebuild_payment_figures',
      'refuse_key_change',
      'refuse_move',
    ],
  },
  { module: 'checkout', tables: ['resume_codes'] },
  { module: 'site', tables: ['incident_updates', 'incidents'] },
]
